// SPDX-License-Identifier: GPL-2.0-only
/*
 * verdict.c - the rules and variables of strsock, about a pipe or socket of a task
 *
 * The rules and variables are read once, when the command is started. The library reads them
 * in each program, and comes to the same result (preload/policy.c).
 */
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/say.h"
#include "variables.h"
#include "verdict.h"

/* A rule, with words of its own */
struct kept {
	struct conf_word program;
	bool matches[RULES_KINDS];
	enum rules_provider provider;
	char push[PUSHLIST_SIZE];
};

static struct kept *rules;
static unsigned int nrules;

/* The variables: 0, 1, or -1 where the rules decide */
static int said_pipe, said_duplex, said_socket[RULES_KINDS];
static const char *pushed[RULES_KINDS];	/* modules, whatever the rules say; or NULL */
static bool required, verbose;

static const char *modules(const char *variable)
{
	const char *list = getenv(variable);

	return list && *list ? list : NULL;
}

static bool keep_rule(void *unused, const struct rules_rule *rule, struct conf_fault *fault)
{
	struct kept *more = realloc(rules, (nrules + 1) * sizeof(*rules)), *kept;
	char *program = strndup(rule->program.text, rule->program.len);

	fault->reason = "no memory for the rule of";
	fault->at = rule->program;
	if (more)
		rules = more;
	if (!more || !program) {
		free(program);
		return false;
	}
	kept = &rules[nrules++];
	*kept = (struct kept){ .provider = rule->provider };
	kept->program = (struct conf_word){ program, rule->program.len };
	memcpy(kept->matches, rule->matches, sizeof(kept->matches));
	if (rule->modules.text)
		memcpy(kept->push, rule->modules.text, rule->modules.len);
	return true;
}

/**
 * verdict_begin - read the rules and variables
 */
void verdict_begin(void)
{
	said_pipe = variables_said("STRSOCK_PIPE");
	said_duplex = variables_said("STRSOCK_DUPLEX");
	said_socket[RULES_UDP] = variables_said("STRSOCK_UDP");
	said_socket[RULES_UDP6] = said_socket[RULES_UDP];
	said_socket[RULES_TCP] = variables_said("STRSOCK_TCP");
	said_socket[RULES_TCP6] = said_socket[RULES_TCP];
	pushed[RULES_PIPE] = modules("STRSOCK_PUSH_PIPE");
	pushed[RULES_UDP] = modules("STRSOCK_PUSH_UDP");
	pushed[RULES_UDP6] = pushed[RULES_UDP];
	pushed[RULES_TCP] = modules("STRSOCK_PUSH_TCP");
	pushed[RULES_TCP6] = pushed[RULES_TCP];
	required = variables_said("STRSOCK_REQUIRE") > 0;
	verbose = variables_said("STRSOCK_VERBOSE") > 0;
	variables_rules(keep_rule, NULL);
}

/**
 * verdict_required - does a call fail where STREAMS is absent?
 *
 * Return: whether it does; else it is native.
 */
bool verdict_required(void)
{
	return required;
}

/**
 * verdict_pushes_on_sockets - are there modules for sockets?
 *
 * Return: whether a variable or a rule has some.
 */
bool verdict_pushes_on_sockets(void)
{
	unsigned int k, i;

	for (k = RULES_UDP; k < RULES_KINDS; k++) {
		if (pushed[k])
			return true;
		for (i = 0; i < nrules; i++)
			if (rules[i].matches[k] && *rules[i].push)
				return true;
	}
	return false;
}

/**
 * verdict_is_verbose - is each pipe and socket reported?
 *
 * Return: whether it is.
 */
bool verdict_is_verbose(void)
{
	return verbose;
}

/* The names of a task's program, as rules compare them */
struct names {
	int dir;
	char argument[PATH_MAX];
	char path[PATH_MAX];
};

/* Returns the last part of the first argument, or NULL. */
static const char *name_invoked(struct names *names)
{
	int fd = openat(names->dir, "cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? 0 : read(fd, names->argument, sizeof(names->argument) - 1);
	char *slash;

	if (fd >= 0)
		close(fd);
	if (len <= 0)
		return NULL;
	names->argument[len] = '\0';
	slash = strrchr(names->argument, '/');
	return slash ? slash + 1 : names->argument;
}

static const char *name_path(void *arg)
{
	struct names *names = arg;

	return rules_executable(names->dir, "exe", names->path);
}

/* Returns the first rule about a kind that names the program of a task, or NULL. */
static const struct kept *find_rule(enum rules_kind kind, int dir)
{
	struct rules_program program = { .exe = name_path };
	const struct kept *rule;
	struct names names;

	for (rule = rules; rule < rules + nrules; rule++) {
		if (!rule->matches[kind])
			continue;
		if (!program.arg) {
			names.dir = dir;
			names.path[0] = '\0';
			program.arg = &names;
			program.invoked = name_invoked(&names);
		}
		if (rules_names(&rule->program, &program))
			return rule;
	}
	return NULL;
}

/**
 * verdict_find - decide about a pipe or socket
 * @verdict: receives the decision
 * @kind: the kind of pipe or socket
 * @dir: the folder in /proc of the task that makes it
 */
void verdict_find(struct verdict *verdict, enum rules_kind kind, int dir)
{
	const struct kept *rule = find_rule(kind, dir);
	int on = kind == RULES_PIPE ? said_pipe : said_socket[kind];

	verdict->streams = on < 0 ? !rule || rule->provider != RULES_NATIVE : on;
	verdict->duplex = said_duplex < 0 ? rule && rule->provider == RULES_DUPLEX : said_duplex;
	verdict->push = pushed[kind];
	if (!verdict->push && rule && *rule->push)
		verdict->push = rule->push;
}

/**
 * verdict_tell - report what was made, when asked to be verbose
 * @dir: the folder in /proc of the task that made it
 * @pid: its number
 * @what: the call and its result
 */
void verdict_tell(int dir, pid_t pid, const char *what)
{
	struct names names = { .dir = dir };

	if (verbose)
		say("%d %s: %s", pid, name_invoked(&names) ?: "", what);
}
