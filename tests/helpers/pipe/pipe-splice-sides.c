// SPDX-License-Identifier: GPL-2.0-only
/* splice() between a pipe and files, sockets and devices: results, positions, errors */
#include "pipe-check.h"

#include <netinet/in.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

static char data[65536], got[65536];
static int fds[2];

/* Returns the data, from a byte on, as a reader of the pipe sees it. */
static void say_read(const char *check, size_t at)
{
	ssize_t n = read(fds[0], got, sizeof(got));

	if (n < 0)
		say_result(check, n);
	else
		say(check, "%zd same %d", n, !memcmp(got, data + at, n));
}

static int new_file(size_t size)
{
	int file = memfd_create("file", MFD_ALLOW_SEALING);

	if (file < 0 || write(file, data, size) != (ssize_t)size)
		broken("memfd_create");
	return file;
}

static void say_file(const char *check, int file, size_t at)
{
	ssize_t n = pread(file, got, sizeof(got), 0);

	say(check, "%zd at %ld same %d", n, (long)lseek(file, 0, SEEK_CUR),
	    !memcmp(got, data + at, n));
}

static void from_file(void)
{
	int file = new_file(20000);
	loff_t at = 5000;

	say_result("file, at its position", splice(file, NULL, fds[1], NULL, 100, 0));
	say_result("file, at an offset", splice(file, &at, fds[1], NULL, 7000, 0));
	say("offset, position", "%ld %ld", (long)at, (long)lseek(file, 0, SEEK_CUR));
	say_read("read", 5000);
	lseek(file, 0, SEEK_SET);
	say_result("file, at its position", splice(file, NULL, fds[1], NULL, 100, 0));
	say("position", "%ld", (long)lseek(file, 0, SEEK_CUR));
	say_result("file, more", splice(file, NULL, fds[1], NULL, 1 << 20, 0));
	say("position", "%ld", (long)lseek(file, 0, SEEK_CUR));
	say_result("file, at its end", splice(file, NULL, fds[1], NULL, 100, 0));
	say_read("read", 0);
	at = 30000;
	say_result("file, behind its end", splice(file, &at, fds[1], NULL, 100, 0));
	at = -1;
	say_result("file, before its beginning", splice(file, &at, fds[1], NULL, 100, 0));
	say_result("nothing", splice(file, NULL, fds[1], NULL, 0, 0));
	say_result("nothing, bad flags", splice(file, NULL, fds[1], NULL, 0, 0x100));
	say_result("bad flags", splice(file, NULL, fds[1], NULL, 100, 0x100));
	say_result("all flags", splice(file, (at = 0, &at), fds[1], NULL, 100, 0xf));
	drain(fds[0]);
	say_result("bad offset", splice(file, (loff_t *)16, fds[1], NULL, 100, 0));
	say_result("offset of the pipe", splice(file, NULL, fds[1], &at, 100, 0));
	close(file);
}

/*
 * splice() sends as much as fits, then fails with EAGAIN, and skips no byte of
 * the file.
 */
static void from_file_to_full(void)
{
	int file = new_file(65536);
	size_t total = 0;
	ssize_t n;

	lseek(file, 0, SEEK_SET);
	write(fds[1], data, 65536 - 12288);
	say_result("file, to a pipe that is nearly full",
		   splice(file, NULL, fds[1], NULL, 65536, 0));
	say("position", "%ld", (long)lseek(file, 0, SEEK_CUR));
	say_result("file, to a full one", splice(file, NULL, fds[1], NULL, 100, 0));
	read(fds[0], got, 65536 - 12288);
	while ((n = splice(file, NULL, fds[1], NULL, 65536, 0)) > 0)
		total += n;
	say("then", "%zu", total);
	say_read("read", 0);
	drain(fds[0]);
	close(file);
}

static void to_file(void)
{
	int file = new_file(0);
	loff_t at = 100;

	say_result("empty pipe to file", splice(fds[0], NULL, file, NULL, 100, 0));
	write(fds[1], data, 30000);
	say_result("pipe to file", splice(fds[0], NULL, file, NULL, 10000, 0));
	say_file("file", file, 0);
	say_result("pipe to file, at an offset", splice(fds[0], NULL, file, &at, 1 << 20, 0));
	say("offset", "%ld", (long)at);
	memmove(data + 100, data + 10000, 20000);
	say_file("file", file, 0);
	at = -5;
	write(fds[1], data, 100);
	say_result("pipe to file, negative", splice(fds[0], NULL, file, &at, 100, 0));
	say_result("offset of the pipe", splice(fds[0], &at, file, NULL, 100, 0));
	say_result("bad offset", splice(fds[0], NULL, file, (loff_t *)16, 100, 0));
	fcntl(file, F_SETFL, O_APPEND);
	say_result("pipe to file, to append", splice(fds[0], NULL, file, NULL, 100, 0));
	fcntl(file, F_SETFL, 0);
	say_result("left", drain(fds[0]));
	close(file);
}

/* The part that a file takes is written, and the others stay in the pipe. */
static void to_limited_file(void)
{
	struct rlimit limit = { 10000, RLIM_INFINITY };
	int file = new_file(0);

	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	write(fds[1], data, 12000);
	say_result("pipe to a file of a limit", splice(fds[0], NULL, file, NULL, 12000, 0));
	say_result("more", splice(fds[0], NULL, file, NULL, 12000, 0));
	limit.rlim_cur = RLIM_INFINITY;
	setrlimit(RLIMIT_FSIZE, &limit);
	say_read("left", 10000);
	close(file);
	file = new_file(0);
	fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW);
	write(fds[1], data, 100);
	say_result("pipe to a sealed file", splice(fds[0], NULL, file, NULL, 100, 0));
	say_read("left", 0);
	close(file);
}

static void other_files(void)
{
	int null = open("/dev/null", O_RDWR), event = eventfd(1, EFD_NONBLOCK);
	int directory = open("/", O_RDONLY), path = open("/dev/null", O_PATH);
	int version = open("/proc/version", O_RDONLY);
	char text[256];
	ssize_t n;

	n = read(version, text, sizeof(text));
	lseek(version, 0, SEEK_SET);
	say("a file of /proc", "%d", splice(version, NULL, fds[1], NULL, 4096, 0) == n &&
	    read(fds[0], got, sizeof(got)) == n && !memcmp(got, text, n));
	write(fds[1], data, 5000);
	say_result("pipe to /dev/null", splice(fds[0], NULL, null, NULL, 4000, 0));
	say_result("/dev/null to pipe", splice(null, NULL, fds[1], NULL, 4000, 0));
	say_result("pipe to eventfd", splice(fds[0], NULL, event, NULL, 8, 0));
	say_result("eventfd to pipe", splice(event, NULL, fds[1], NULL, 8, 0));
	say_result("directory to pipe", splice(directory, NULL, fds[1], NULL, 8, 0));
	say_result("O_PATH to pipe", splice(path, NULL, fds[1], NULL, 8, 0));
	say_result("pipe to no descriptor", splice(fds[0], NULL, -1, NULL, 8, 0));
	say_result("no descriptor to pipe", splice(1000, NULL, fds[1], NULL, 8, 0));
	say_result("pipe to a directory", splice(fds[0], NULL, directory, NULL, 8, 0));
	say_result("pipe to itself", splice(fds[0], NULL, fds[1], NULL, 8, 0));
	say_result("file to the reading end", splice(version, NULL, fds[0], NULL, 8, 0));
	say_result("the writing end to file", splice(fds[1], NULL, null, NULL, 8, 0));
	say_result("file to file", splice(version, NULL, null, NULL, 8, 0));
	say_result("left", drain(fds[0]));
	close(null);
	close(event);
	close(directory);
	close(path);
	close(version);
}

static void stream_sockets(void)
{
	int pair[2], i;
	ssize_t n, wrote = 0, came = 0;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair))
		broken("socketpair");
	write(fds[1], data, 40000);
	say_result("pipe to socket", splice(fds[0], NULL, pair[0], NULL, 30000, SPLICE_F_MORE));
	say_result("recv", recv(pair[1], got, sizeof(got), MSG_DONTWAIT | MSG_WAITALL));
	say("same", "%d", !memcmp(got, data, 30000));
	say_result("the rest", splice(fds[0], NULL, pair[0], NULL, 30000, 0));
	say_result("socket to pipe", splice(pair[1], NULL, fds[1], NULL, 4000, 0));
	say_result("socket to pipe, all", splice(pair[1], NULL, fds[1], NULL, 65536, 0));
	say_read("read", 30000);
	say_result("empty socket to pipe", splice(pair[1], NULL, fds[1], NULL, 100, 0));
	/* A socket takes only some of the bytes: none of the others is lost. */
	for (i = 0; i < 100; i++) {
		n = write(fds[1], data, 65536);
		wrote += n > 0 ? n : 0;
		if (splice(fds[0], NULL, pair[0], NULL, 65536, 0) < 0)
			break;
	}
	say("until the socket is full", "%s", strerrorname_np(errno));
	n = drain(fds[0]);
	wrote -= n;
	while ((n = recv(pair[1], got, sizeof(got), 0)) > 0)
		came += n;
	say("written bytes came, or are left", "%d", came && came == wrote);
	shutdown(pair[0], SHUT_WR);
	say_result("socket at its end", splice(pair[1], NULL, fds[1], NULL, 100, 0));
	write(fds[1], data, 100);
	signal(SIGPIPE, SIG_IGN);
	say_result("pipe to a socket without a reader",
		   splice(fds[0], NULL, pair[0], NULL, 100, 0));
	say_result("left", drain(fds[0]));
	close(pair[0]);
	close(pair[1]);
}

/* Each call takes one datagram, whose bytes are in one page of the pipe. */
static void datagrams(void)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int in = syscall(SYS_socket, AF_INET, SOCK_DGRAM, 0);
	int out = syscall(SYS_socket, AF_INET, SOCK_DGRAM, 0);
	socklen_t len = sizeof(to);

	if (in < 0 || out < 0 || bind(in, (void *)&to, sizeof(to)) ||
	    getsockname(in, (void *)&to, &len))
		broken("socket");
	write(fds[1], data, 300);
	signal(SIGPIPE, SIG_IGN);
	say_result("pipe to an unconnected socket", splice(fds[0], NULL, out, NULL, 100, 0));
	connect(out, (void *)&to, sizeof(to));
	say_result("pipe to UDP", splice(fds[0], NULL, out, NULL, 100, 0));
	say_result("datagram", recv(in, got, sizeof(got), 0));
	say_result("pipe to UDP, more to come",
		   splice(fds[0], NULL, out, NULL, 50, SPLICE_F_MORE));
	say_result("no datagram yet", recv(in, got, sizeof(got), MSG_DONTWAIT));
	say_result("pipe to UDP, the rest", splice(fds[0], NULL, out, NULL, 150, 0));
	say_result("datagram", recv(in, got, sizeof(got), 0));
	send(out, data, 700, 0);
	say_result("UDP to pipe", splice(in, NULL, fds[1], NULL, 1000, 0));
	say_read("read", 0);
	close(in);
	close(out);
}

/* With a module between, and with O_DIRECT, a pipe gives the bytes it holds. */
static void packets(void)
{
	int file = new_file(0);

	close_pipe(fds);
	make_pipe(fds, O_NONBLOCK | O_DIRECT);
	write(fds[1], data, 100);
	write(fds[1], data + 100, 200);
	say_result("packets to file", splice(fds[0], NULL, file, NULL, 300, 0));
	say_file("file", file, 0);
	write(fds[1], data, 100);
	say_result("a part of a packet", splice(fds[0], NULL, file, (loff_t[]){ 0 }, 60, 0));
	say_result("the others", read(fds[0], got, sizeof(got)));
	lseek(file, 0, SEEK_SET);
	say_result("file to pipe", splice(file, NULL, fds[1], NULL, 150, 0));
	say_result("read a part", read(fds[0], got, 100));
	say_result("read the rest", read(fds[0], got, 100));
	close(file);
	close_pipe(fds);
	make_pipe(fds, O_NONBLOCK);
}

/*
 * A file of an overlay takes all bytes, or a part, or fails without taking any.
 */
static void to_overlay(void)
{
	struct rlimit most = { .rlim_cur = 70000, .rlim_max = RLIM_INFINITY };
	const char *dir = getenv("BATS_TEST_TMPDIR") ?: "/tmp";
	loff_t at = 0;
	int file, packed[2];

	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    chdir(dir) || (mkdir("top", 0700) && errno != EEXIST) ||
	    mount("tmpfs", "top", "tmpfs", 0, NULL) || chdir("top") ||
	    mkdir("low", 0700) || mkdir("up", 0700) || mkdir("work", 0700) ||
	    mkdir("all", 0700) ||
	    mount("overlay", "all", "overlay", 0, "lowerdir=low,upperdir=up,workdir=work"))
		broken("overlay");
	file = open("all/file", O_RDWR | O_CREAT, 0600);
	write(fds[1], data, 50000);
	say_result("pipe to overlay", splice(fds[0], NULL, file, NULL, 40000, 0));
	say_result("pipe to overlay, the rest", splice(fds[0], NULL, file, NULL, 40000, 0));
	say("position", "%ld", (long)lseek(file, 0, SEEK_CUR));
	lseek(file, 0, SEEK_SET);
	say_file("file", file, 0);
	say_result("overlay to pipe", splice(file, &at, fds[1], NULL, 30000, 0));
	say_read("read", 0);
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &most);
	write(fds[1], data, 10000);
	at = 65000;
	say_result("to the largest size", splice(fds[0], NULL, file, &at, 10000, 0));
	say_result("beyond", splice(fds[0], NULL, file, &at, 10000, 0));
	say("offset", "%lld", (long long)at);
	say_read("left", 5000);
	/* The rest of a packet stays a packet. */
	make_pipe(packed, O_DIRECT | O_NONBLOCK);
	write(packed[1], data, 3000);
	write(packed[1], data + 3000, 3000);
	at = 69000;
	say_result("a packet, in part", splice(packed[0], NULL, file, &at, 3000, 0));
	say_result("its rest", read(packed[0], got, sizeof(got)));
	say_result("the next", read(packed[0], got, sizeof(got)));
	/* A packet of which a part was refused is read again. */
	write(packed[1], data, 3000);
	write(packed[1], data + 3000, 200);
	at = 70000;
	say_result("a part of a packet, refused",
		   splice(packed[0], NULL, file, &at, 1000, 0));
	say_result("all of it", read(packed[0], got, sizeof(got)));
	say_result("the next", read(packed[0], got, sizeof(got)));
	write(packed[1], data, 3000);
	write(packed[1], data + 3000, 200);
	at = 0;
	say_result("a part of it", splice(packed[0], NULL, file, &at, 1000, 0));
	say_result("its rest", read(packed[0], got, sizeof(got)));
	say_result("the next", read(packed[0], got, sizeof(got)));
	close_pipe(packed);
	most.rlim_cur = RLIM_INFINITY;
	setrlimit(RLIMIT_FSIZE, &most);
	close(file);
	close_pipe(fds);
	make_pipe(fds, O_NONBLOCK);
}

static void nobody(void)
{
	int file = new_file(100);

	signal(SIGPIPE, SIG_IGN);
	write(fds[1], data, 100);
	close(fds[1]);
	say_result("pipe without a writer to file",
		   splice(fds[0], NULL, file, NULL, 1000, 0));
	say_result("at its end", splice(fds[0], NULL, file, NULL, 1000, 0));
	close(fds[0]);
	make_pipe(fds, O_NONBLOCK);
	close(fds[0]);
	lseek(file, 0, SEEK_SET);
	say_result("file to a pipe without a reader",
		   splice(file, NULL, fds[1], NULL, 10, 0));
	say("position", "%ld", (long)lseek(file, 0, SEEK_CUR));
	close(fds[1]);
	close(file);
}

int main(void)
{
	size_t i;

	for (i = 0; i < sizeof(data); i++)
		data[i] = i * 7 + (i >> 8);
	make_pipe(fds, O_NONBLOCK);
	from_file();
	from_file_to_full();
	to_limited_file();
	other_files();
	stream_sockets();
	datagrams();
	packets();
	to_file();
	to_overlay();
	nobody();
	return 0;
}
