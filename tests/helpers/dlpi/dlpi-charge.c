// SPDX-License-Identifier: GPL-2.0-only
/* dlpi-charge - the memory cgroup that the buffers of data links are charged to */
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "cgroup.h"
#include "dlpi-test.h"
#include "waits.h"

#define ENDS	20

static char root[] = "/tmp/cgroupXXXXXX", dir[40];

static long sysctl_number(const char *path)
{
	FILE *f = fopen(path, "r");
	long n;

	TRUE(f && fscanf(f, "%ld", &n) == 1);
	fclose(f);
	return n;
}

static void g_opener(void)
{
	long room = sysctl_number("/proc/sys/net/core/rmem_default") +
		    sysctl_number("/proc/sys/net/core/wmem_default");
	int fds[ENDS], i;

	TRUE(mkdtemp(root));
	TRUE(!unshare(CLONE_NEWNS));
	TRUE(!mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
	TRUE(!mount("cgroup2", root, "cgroup2", 0, NULL));
	cgroup_write(root, "cgroup.subtree_control", "+memory");
	snprintf(dir, sizeof(dir), "%s/charged", root);
	TRUE(!mkdir(dir, 0755));
	cgroup_write(dir, "cgroup.procs", "0");
	for (i = 0; i < ENDS; i++)
		fds[i] = dlpi_fd();
	TRUE(cgroup_socket_bytes(dir) >= ENDS * room);
	/*
	 * The opener's cgroup is uncharged, whichever task closes the streams.
	 */
	cgroup_write(root, "cgroup.procs", "0");
	for (i = 0; i < ENDS; i++)
		close(fds[i]);
	UNTIL(cgroup_socket_bytes(dir) == 0);
	TRUE(!rmdir(dir));
	TRUE(!umount2(root, MNT_DETACH));
	TRUE(!rmdir(root));
}

int main(int argc, char **argv)
{
	static const struct test_case groups[] = {
		{ "opener", g_opener },
		{ NULL, NULL }
	};

	return test_main(argc, argv, groups);
}
