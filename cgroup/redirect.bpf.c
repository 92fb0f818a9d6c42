// SPDX-License-Identifier: GPL-2.0-only
/*
 * The protocol of a new socket, as a program of BPF changes it
 *
 * update_socket_protocol() returns the protocol that socket(2) was called with, and exists so
 * that a program may return another. A socket of UDP or TCP becomes one of protocol 253, a
 * STREAMS socket, if a cgroup of its task is in the map.
 */
#include <linux/bpf.h>
#include <linux/in.h>
#include <stdbool.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "redirect.h"

#define AF_INET		2
#define AF_INET6	10
#define SOCK_STREAM	1
#define SOCK_DGRAM	2
#define SOCK_TYPE_MASK	0xf	/* without SOCK_CLOEXEC and SOCK_NONBLOCK */
#define STREAMS		253

#define AT_NULL		0
#define AT_SECURE	23
#define AUXV_PAIRS	32

char LICENSE[] SEC("license") = "GPL";

/* These are found in the running kernel, whatever surrounds them there. */
struct mm_struct {
	unsigned long saved_auxv[1];
} __attribute__((preserve_access_index));

struct task_struct {
	struct mm_struct *mm;
	struct task_struct *group_leader;
	__u64 self_exec_id;
	char comm[REDIRECT_NAME];
} __attribute__((preserve_access_index));

/* The policies, by the number of their cgroup */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, REDIRECT_GROUPS);
	__type(key, __u64);
	__type(value, struct redirect_group);
} groups SEC(".maps");

/* Grows with each change of the policies, so that older answers hold no more; 0: none yet */
__u32 epoch;

/* The answer for a task, until it executes another program or is moved */
struct answer {
	__u64 exec;		/* the number of the execve(2) that it is for */
	__u64 cgroup;		/* the cgroup that it is for */
	__u32 epoch;		/* the policies that it is for */
	__u32 kinds;		/* that are put on STREAMS */
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct answer);
} answers SEC(".maps");

static __always_inline __u32 kind_of(int family, int type, int protocol)
{
	bool six = family == AF_INET6;

	type &= SOCK_TYPE_MASK;
	if (!six && family != AF_INET)
		return 0;
	if (type == SOCK_DGRAM && (!protocol || protocol == IPPROTO_UDP))
		return six ? REDIRECT_UDP6 : REDIRECT_UDP;
	if (type == SOCK_STREAM && (!protocol || protocol == IPPROTO_TCP))
		return six ? REDIRECT_TCP6 : REDIRECT_TCP;
	return 0;
}

/*
 * Returns whether a program has more rights than its caller, as the dynamic linker asks
 * before it loads a preloaded library.
 */
static bool program_is_secure(struct task_struct *task)
{
	struct mm_struct *mm = BPF_CORE_READ(task, mm);
	unsigned long pair[2], at;
	int i;

	at = (unsigned long)mm + bpf_core_field_offset(mm->saved_auxv);
	for (i = 0; i < AUXV_PAIRS; i++, at += sizeof(pair)) {
		if (bpf_probe_read_kernel(pair, sizeof(pair), (void *)at) || pair[0] == AT_NULL)
			break;
		if (pair[0] == AT_SECURE)
			return pair[1];
	}
	return true;
}

/* The state of a comparison: '*' stands for any run of characters, '?' for any one. */
struct match {
	char pattern[REDIRECT_NAME];
	char name[REDIRECT_NAME];
	__u32 p, s;		/* the characters compared next */
	__u32 star, resume;	/* after the last star, and the name's part that it left */
	bool starred, equal;
};

/* Compares one character, or moves what a star stands for. Returns 1 when all is known. */
static long match_step(__u32 step, void *ctx)
{
	struct match *m = ctx;
	char p = m->pattern[m->p & (REDIRECT_NAME - 1)];
	char s = m->name[m->s & (REDIRECT_NAME - 1)];

	if (p == '*') {
		m->star = ++m->p;
		m->resume = m->s;
		m->starred = true;
	} else if (!p && !s) {
		m->equal = true;
		return 1;
	} else if (p == s || (p == '?' && s)) {
		m->p++;
		m->s++;
	} else if (m->starred && s) {
		m->p = m->star;
		m->s = ++m->resume;
	} else {
		return 1;
	}
	return 0;
}

/* A look for the first rule about each kind */
struct search {
	struct redirect_group *group;
	struct match match;
	__u32 open;		/* kinds about which no rule has decided */
	__u32 kinds;		/* that are put on STREAMS */
};

static long try_rule(__u32 i, void *ctx)
{
	struct search *search = ctx;
	struct match *m = &search->match;
	struct redirect_rule *rule;

	if (i >= search->group->nrules)
		return 1;
	/* The mask shows the verifier that the number is in range. */
	rule = &search->group->rules[i & (REDIRECT_RULES - 1)];
	__builtin_memcpy(m->pattern, rule->pattern, sizeof(m->pattern));
	m->p = 0;
	m->s = 0;
	m->starred = false;
	m->equal = false;
	bpf_loop(REDIRECT_NAME * REDIRECT_NAME, match_step, m, 0);
	if (m->equal) {
		search->kinds |= rule->streams & search->open;
		search->open &= ~rule->kinds;
	}
	return !search->open;
}

/* Returns the policy of the innermost cgroup of the task that has one, or NULL. */
static struct redirect_group *find_group(void)
{
	struct redirect_group *group = NULL, *inner;
	__u32 level;

	for (level = 0; level < REDIRECT_LEVELS; level++) {
		__u64 id = bpf_get_current_ancestor_cgroup_id(level);

		if (!id)
			break;
		inner = bpf_map_lookup_elem(&groups, &id);
		if (inner)
			group = inner;
	}
	return group;
}

/* Finds the kinds that are put on STREAMS for a task. */
static __u32 find_kinds(struct task_struct *task)
{
	struct search search = { .open = REDIRECT_ALL };

	search.group = find_group();
	if (!search.group || program_is_secure(task))
		return 0;
	BPF_CORE_READ_INTO(&search.match.name, task, group_leader, comm);
	bpf_loop(REDIRECT_RULES, try_rule, &search, 0);
	return search.kinds | (search.group->kinds & search.open);
}

SEC("fmod_ret/update_socket_protocol")
int BPF_PROG(strsock_protocol, int family, int type, int protocol)
{
	__u32 kind = kind_of(family, type, protocol), now = epoch;
	struct task_struct *task;
	struct answer *answer;
	__u64 cgroup;

	/* With 0 the kernel's own function returns the protocol. */
	if (!kind || !now)
		return 0;
	task = bpf_get_current_task_btf();
	answer = bpf_task_storage_get(&answers, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!answer)
		return 0;
	cgroup = bpf_get_current_cgroup_id();
	if (answer->epoch != now || answer->cgroup != cgroup ||
	    answer->exec != task->self_exec_id) {
		answer->kinds = find_kinds(task);
		answer->exec = task->self_exec_id;
		answer->cgroup = cgroup;
		answer->epoch = now;
	}
	return answer->kinds & kind ? STREAMS : 0;
}
