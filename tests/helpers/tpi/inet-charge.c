// SPDX-License-Identifier: GPL-2.0-only
/* /dev/streams/tcp: the memory cgroup that buffers of sockets are charged to */
#include "cgroup.h"
#include "tpi-inet.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

/* Sends until there is no room, to a reader that does not read. */
static void fill(int sock)
{
	static char block[65536];

	while (send(sock, block, sizeof(block), MSG_DONTWAIT) > 0)
		;
	TRUE(errno == EAGAIN);
}

/* The buffers of connections that were accepted are charged to the opener's cgroup. */
static void run_charged(void)
{
	char root[] = "/tmp/cgroupXXXXXX", dir[40];
	struct sockaddr_in sin;
	int fd, acc, sock;

	TRUE(mkdtemp(root));
	IS(unshare(CLONE_NEWNS), 0);
	IS(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
	IS(mount("cgroup2", root, "cgroup2", 0, NULL), 0);
	cgroup_write(root, "cgroup.subtree_control", "+memory");
	snprintf(dir, sizeof(dir), "%s/charged", root);
	IS(mkdir(dir, 0755), 0);
	cgroup_write(dir, "cgroup.procs", "0");
	fd = listener(&sin, 1);
	acc = endpoint();
	/* The buffers of the other side are charged elsewhere. */
	cgroup_write(root, "cgroup.procs", "0");
	sock = native_connect(&sin, IPPROTO_TCP);
	accept_on(fd, receive_conn_ind(fd, NULL), acc);
	fill(sock);
	UNTIL(cgroup_socket_bytes(dir) > 50000);
	close(acc);
	UNTIL(cgroup_socket_bytes(dir) == 0);
	close(sock);
	close(fd);
	IS(rmdir(dir), 0);
	IS(umount2(root, MNT_DETACH), 0);
	IS(rmdir(root), 0);
}

static const struct test_case cases[] = {
	{ "accepted", run_charged },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
