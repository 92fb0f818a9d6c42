// SPDX-License-Identifier: GPL-2.0-only
/* splice() and sendfile() between pipes, some of them native in any case */
#include "pipe-check.h"

#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>

static char data[65536], got[65536];

/* Makes a native pipe, whatever is loaded. */
static void native_pipe(int fds[2])
{
	if (syscall(SYS_pipe2, fds, O_NONBLOCK))
		broken("native pipe2");
}

/*
 * The number of queued signals: one for each time that data is reported to the
 * reader
 */
static volatile sig_atomic_t signals;

static void count_signal(int sig)
{
	signals++;
}

/*
 * Several pages that one sendfile() sends cause one signal for the asynchronous
 * reader.
 */
static void signalled(int file)
{
	off_t at = 0;
	int fds[2];

	signal(SIGRTMIN, count_signal);
	make_pipe(fds, O_NONBLOCK);
	fcntl(fds[0], F_SETOWN, getpid());
	fcntl(fds[0], F_SETSIG, SIGRTMIN);
	fcntl(fds[0], F_SETFL, O_NONBLOCK | O_ASYNC);
	say_result("sendfile to an asynchronous reader", sendfile(fds[1], file, &at, 20000));
	say("signals", "%d", (int)signals);
	say_result("read", read(fds[0], got, sizeof(got)));
	say("same", "%d", !memcmp(got, data, 20000));
	close(fds[0]);
	close(fds[1]);
}

/* A write() that fails can leave an empty buffer in the pipe: no byte is spliced twice. */
static void empty_buffer(void)
{
	int ours[2], native[2];
	ssize_t n, all = 0;

	make_pipe(ours, O_NONBLOCK);
	native_pipe(native);
	write(native[1], data, 4096);
	say_result("write of what cannot be read", write(native[1], (void *)16, 4096));
	write(native[1], data + 4096, 4096);
	while ((n = splice(native[0], NULL, ours[1], NULL, 65536, 0)) > 0)
		all += n;
	say("spliced, an empty buffer between", "%zd", all);
	say_result("read", read(ours[0], got, sizeof(got)));
	say("same", "%d", !memcmp(got, data, 8192));
	close_pipe(ours);
	close_pipe(native);
}

/*
 * On pipes without O_NONBLOCK some calls wait, and some return with a part. The
 * alarm ends a call that waits for good.
 */
static void waiting(void)
{
	int ours[2], native[2], i;
	pid_t pid;
	ssize_t n;

	make_pipe(ours, 0);
	if (syscall(SYS_pipe2, native, 0))
		broken("native pipe2");
	alarm(WAIT_SECONDS);
	say_result("blocking, splice to native of nothing at once",
		   splice(ours[0], NULL, native[1], NULL, 10, SPLICE_F_NONBLOCK));
	for (i = 0; i < 8; i++)
		write(ours[1], data + i * 8192, 8192);
	say_result("blocking, splice a full pipe to native",
		   splice(ours[0], NULL, native[1], NULL, 1 << 20, 0));
	say_result("read", read(native[0], got, sizeof(got)));
	say("same", "%d", !memcmp(got, data, sizeof(data)));

	write(ours[1], data, 65536 - 8192);
	write(native[1], data, 20000);
	say_result("blocking, splice more than fits",
		   splice(native[0], NULL, ours[1], NULL, 20000, 0));
	say_result("blocking, splice to full at once",
		   splice(native[0], NULL, ours[1], NULL, 20000, SPLICE_F_NONBLOCK));
	pid = must_fork();
	if (!pid) {
		close(native[1]);
		alarm(WAIT_SECONDS);
		/* The number depends on the room when the call was woken. */
		say("blocking, splice to full", "%d",
		    splice(native[0], NULL, ours[1], NULL, 20000, 0) > 0);
		_exit(0);
	}
	/* The native pipe is not locked during the wait. */
	UNTIL(process_sleeps(pid));
	write(native[1], data, 100);
	n = read(ours[0], got, 65536 - 8192);
	/* The other process prints first. */
	say_end("splice to full", pid);
	say_result("read from full", n);
	say("read what was spliced", "%d", read(ours[0], got, sizeof(got)) > 8192);
	alarm(0);
	close_pipe(ours);
	close_pipe(native);
}

static int ours[2], other[2], native[2], pair[2], file, out;

static void native_pipes(void)
{
	write(native[1], data, 5000);
	say_result("splice from native", splice(native[0], NULL, ours[1], NULL, 65536, 0));
	say_result("read", read(ours[0], got, sizeof(got)));
	say("same", "%d", !memcmp(got, data, 5000));
	write(ours[1], data, 5000);
	say_result("splice to native", splice(ours[0], NULL, native[1], NULL, 65536, 0));
	memset(got, 0, sizeof(got));
	say_result("read", read(native[0], got, sizeof(got)));
	say("same", "%d", !memcmp(got, data, 5000));
	say_result("splice to native of nothing",
		   splice(ours[0], NULL, native[1], NULL, 10, SPLICE_F_NONBLOCK));
	write(ours[1], data, 100);
	say_result("splice a part to native", splice(ours[0], NULL, native[1], NULL, 60, 0));
	say_result("read the rest", read(ours[0], got, 100));
	drain(native[0]);
}

static void sendfiles(void)
{
	off_t at = 0;

	say_result("sendfile file to pipe", sendfile(ours[1], file, &at, 20000));
	say_result("read", read(ours[0], got, sizeof(got)));
	say("same, offset", "%d %ld", !memcmp(got, data, 20000), (long)at);
	signalled(file);
	empty_buffer();
	at = 0;
	say_result("sendfile file to full pipe", (fill(ours[1], 4096),
						  sendfile(ours[1], file, &at, 20000)));
	drain(ours[0]);
	write(ours[1], data, 10);
	say_result("sendfile pipe to file", sendfile(out, ours[0], NULL, 10));
	drain(ours[0]);
	say_result("copy_file_range to pipe", copy_file_range(file, NULL, ours[1], NULL, 10, 0));
}

static void files_and_sockets(void)
{
	struct stat st;
	off_t at = 0;

	say_result("splice file to pipe", splice(file, &at, ours[1], NULL, 5000, 0));
	drain(ours[0]);
	write(ours[1], data, 5000);
	say_result("splice pipe to file", splice(ours[0], NULL, out, NULL, 5000, 0));
	drain(ours[0]);
	fstat(out, &st);
	say("bytes in the file", "%ld", (long)st.st_size);
	write(ours[1], data, 5000);
	say_result("splice pipe to socket", splice(ours[0], NULL, pair[0], NULL, 5000, 0));
	drain(ours[0]);
	drain(pair[1]);
	write(pair[0], data, 100);
	say_result("splice socket to pipe", splice(pair[1], NULL, ours[1], NULL, 5000, 0));
	drain(ours[0]);
	write(ours[1], data, 5000);
	say_result("splice pipe to pipe", splice(ours[0], NULL, other[1], NULL, 5000, 0));
	drain(ours[0]);
	drain(other[0]);
}

static void errors(void)
{
	off_t at = 0;

	say_result("splice from the writing end", splice(ours[1], NULL, native[1], NULL, 10, 0));
	say_result("splice to the reading end", splice(native[0], NULL, ours[0], NULL, 10, 0));
	say_result("splice with an offset", splice(native[0], NULL, ours[1], &at, 10, 0));
	close(ours[1]);
	say_result("splice at the end of the file", splice(ours[0], NULL, native[1], NULL, 10, 0));
	close(ours[0]);
	close(other[0]);
	signal(SIGPIPE, SIG_IGN);
	write(native[1], data, 10);
	say_result("splice without a reader", splice(native[0], NULL, other[1], NULL, 10, 0));
	at = 0;
	say_result("sendfile without a reader", sendfile(other[1], file, &at, 10));
}

int main(void)
{
	size_t i;

	for (i = 0; i < sizeof(data); i++)
		data[i] = i * 7 + (i >> 8);
	file = memfd_create("in", 0);
	out = memfd_create("out", 0);
	write(file, data, sizeof(data));
	make_pipe(ours, O_NONBLOCK);
	make_pipe(other, O_NONBLOCK);
	native_pipe(native);
	socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair);
	native_pipes();
	sendfiles();
	files_and_sockets();
	errors();
	waiting();
	return 0;
}
