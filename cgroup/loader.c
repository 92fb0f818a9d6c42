// SPDX-License-Identifier: GPL-2.0-only
/*
 * loader.c - the BPF program that redirects sockets, and the policies it looks at
 *
 * All cgroups share one program: each further one would add to the cost of every socket of
 * the system. Program and policies are pinned in a folder. A process that changes them holds
 * the folder's lock, and removes the folder with the last policy.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "loader.h"
#include "redirect.skel.h"

#define MOUNT	"/sys/fs/bpf"
#define PINS	MOUNT "/strsock"
#define HOOK	"update_socket_protocol"

static const char *const pins[] = { PINS "/link", PINS "/groups", PINS "/epoch" };

enum { LINK, GROUPS, EPOCH, PIN_COUNT };

static int no_messages(enum libbpf_print_level level, const char *format, va_list args)
{
	return 0;
}

static void unpin(void)
{
	unsigned int i;

	for (i = 0; i < PIN_COUNT; i++)
		unlink(pins[i]);
	rmdir(PINS);
}

/* Returns why the kernel has no place for the program, or NULL. */
static const char *hook_is_missing(void)
{
	struct btf *btf = btf__load_vmlinux_btf();
	bool there;

	if (!btf)
		return "the kernel does not describe its types (CONFIG_DEBUG_INFO_BTF)";
	there = btf__find_by_name_kind(btf, HOOK, BTF_KIND_FUNC) >= 0;
	btf__free(btf);
	return there ? NULL : "the kernel has no hook for new sockets (Linux 6.6 and later have)";
}

static int load_and_pin(const char **why)
{
	struct redirect *skel;
	int err;

	*why = hook_is_missing();
	if (*why)
		return -EOPNOTSUPP;
	skel = redirect__open_and_load();
	if (!skel)
		return -errno;
	err = redirect__attach(skel);
	if (!err)
		err = bpf_map__pin(skel->maps.groups, pins[GROUPS]);
	if (!err)
		err = bpf_map__pin(skel->maps.bss, pins[EPOCH]);
	if (!err)
		err = bpf_link__pin(skel->links.strsock_protocol, pins[LINK]);
	redirect__destroy(skel);
	if (err)
		unpin();
	return err;
}

/*
 * Opens the folder, locked; it may have been removed before it was. Any user may make folders
 * and symbolic links in a BPF file system with its usual mode: those of another user are not
 * used, nor waited for.
 */
static int lock_folder(bool create)
{
	struct stat held, named;
	struct statfs fs;
	int fd;

	if (statfs(MOUNT, &fs) || fs.f_type != BPF_FS_MAGIC)
		return -ENODEV;
	for (;;) {
		if (create && mkdir(PINS, 0700) && errno != EEXIST)
			return -errno;
		fd = open(PINS, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0)
			return errno == ENOTDIR || errno == ELOOP ? -EEXIST : -errno;
		if (fstat(fd, &held) || held.st_uid != geteuid()) {
			close(fd);
			return -EEXIST;
		}
		if (flock(fd, LOCK_EX)) {
			close(fd);
			return -EINTR;
		}
		if (!lstat(PINS, &named) && held.st_ino == named.st_ino &&
		    held.st_dev == named.st_dev)
			return fd;
		close(fd);
		if (!create)
			return -ENOENT;
	}
}

/* Returns whether the pinned policies are of this release. */
static bool policies_fit(void)
{
	struct bpf_map_info info = { };
	__u32 len = sizeof(info);
	int fd = bpf_obj_get(pins[GROUPS]);
	bool fit;

	if (fd < 0)
		return false;
	fit = !bpf_obj_get_info_by_fd(fd, &info, &len) &&
	      info.value_size == sizeof(struct redirect_group);
	close(fd);
	return fit;
}

/**
 * loader_lock - lock the policies, to change some
 * @load: whether to load the program if it is not
 * @why: set to the reason, or to NULL where the error says all
 *
 * Return: a descriptor for loader_unlock(), or a negative error; -ENOENT: there are no
 * policies.
 */
int loader_lock(bool load, const char **why)
{
	int lock, err;

	*why = NULL;
	libbpf_set_print(no_messages);
	lock = lock_folder(load);
	if (lock < 0) {
		if (lock == -EEXIST)
			*why = PINS " is a symbolic link, or belongs to another user";
		else if (load && lock == -ENODEV)
			*why = "no BPF file system (run: mount -t bpf bpf " MOUNT ")";
		return lock;
	}
	if (access(pins[LINK], F_OK)) {
		err = load ? load_and_pin(why) : -ENOENT;
		if (err) {
			loader_unlock(lock);
			return err;
		}
	}
	if (!policies_fit()) {
		*why = "another release of strsock has loaded it (run: rm -r " PINS ")";
		loader_unlock(lock);
		return -EBUSY;
	}
	return lock;
}

/**
 * loader_unlock - let others change the policies
 * @lock: the result of loader_lock()
 *
 * Without policies the program is unloaded.
 */
void loader_unlock(int lock)
{
	int groups = bpf_obj_get(pins[GROUPS]);
	uint64_t id;

	if (groups < 0 || bpf_map_get_next_key(groups, NULL, &id))
		unpin();
	if (groups >= 0)
		close(groups);
	close(lock);
}

/* Has every task look again. */
static int next_epoch(void)
{
	int fd = bpf_obj_get(pins[EPOCH]);
	__u32 zero = 0, epoch;
	int err;

	if (fd < 0)
		return -errno;
	err = bpf_map_lookup_elem(fd, &zero, &epoch);
	if (!err) {
		epoch += epoch == UINT32_MAX ? 2 : 1;
		err = bpf_map_update_elem(fd, &zero, &epoch, 0);
	}
	close(fd);
	return err;
}

/**
 * loader_set - give a cgroup a policy, under the lock
 * @id: the number of the cgroup
 * @group: the policy
 *
 * Return: 0, or a negative error; -E2BIG: too many cgroups have one.
 */
int loader_set(uint64_t id, const struct redirect_group *group)
{
	int fd = bpf_obj_get(pins[GROUPS]);
	int err;

	if (fd < 0)
		return -errno;
	err = bpf_map_update_elem(fd, &id, group, 0);
	close(fd);
	return err ?: next_epoch();
}

/**
 * loader_sweep - take away the policies of cgroups that were removed, under the lock
 * @exists: tells whether there is a cgroup of a number
 */
void loader_sweep(bool (*exists)(uint64_t id))
{
	int fd = bpf_obj_get(pins[GROUPS]);
	uint64_t id, next;
	bool more;

	if (fd < 0)
		return;
	more = !bpf_map_get_next_key(fd, NULL, &next);
	while (more) {
		id = next;
		more = !bpf_map_get_next_key(fd, &id, &next);
		if (!exists(id))
			bpf_map_delete_elem(fd, &id);
	}
	close(fd);
}

/**
 * loader_remove - take a cgroup's policy away, under the lock
 * @id: the number of the cgroup
 *
 * Return: 0, or a negative error; -ENOENT: it has none.
 */
int loader_remove(uint64_t id)
{
	int fd = bpf_obj_get(pins[GROUPS]);
	int err;

	if (fd < 0)
		return -errno;
	err = bpf_map_delete_elem(fd, &id);
	close(fd);
	return err ?: next_epoch();
}
