// SPDX-License-Identifier: GPL-2.0-only
/* /dev/streams/tcp: the memory cgroup that buffers of sockets are charged to */
#include "inet.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

static void write_text(const char *dir, const char *name, const char *text)
{
	char path[200];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		test_fail(__FILE__, __LINE__, "%s: %s", path, strerror(errno));
	close(fd);
}

/* Bytes of sockets' buffers that are charged to a cgroup */
static long socket_bytes(const char *dir)
{
	char path[200], line[200];
	long bytes = -1;
	FILE *f;

	snprintf(path, sizeof(path), "%s/memory.stat", dir);
	f = fopen(path, "r");
	TRUE(f);
	while (bytes < 0 && fgets(line, sizeof(line), f))
		sscanf(line, "sock %ld", &bytes);
	fclose(f);
	return bytes;
}

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
	write_text(root, "cgroup.subtree_control", "+memory");
	snprintf(dir, sizeof(dir), "%s/charged", root);
	IS(mkdir(dir, 0755), 0);
	write_text(dir, "cgroup.procs", "0");
	fd = listener(&sin, 1);
	acc = endpoint();
	/* The other side's are charged elsewhere. */
	write_text(root, "cgroup.procs", "0");
	sock = native_connect(&sin, IPPROTO_TCP);
	accept_on(fd, receive_conn_ind(fd, NULL), acc);
	fill(sock);
	UNTIL(socket_bytes(dir) > 50000);
	close(acc);
	UNTIL(socket_bytes(dir) == 0);
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
