// SPDX-License-Identifier: GPL-2.0-only
/* tee() and vmsplice(): contents, parts, ends, errors; native pipes on one side */
#include "pipe-check.h"

#include <limits.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>

/* Parts of pages would fill a native pipe. */
static char data[65536] __attribute__((aligned(4096)));
static char got[65536];
static int in[2], out[2], native[2];

static void say_read(const char *check, int fd, size_t at)
{
	ssize_t n = read(fd, got, sizeof(got));

	if (n < 0)
		say_result(check, n);
	else
		say(check, "%zd same %d", n, !memcmp(got, data + at, n));
}

static void begin(int flags)
{
	make_pipe(in, O_NONBLOCK | flags);
	make_pipe(out, O_NONBLOCK);
	if (syscall(SYS_pipe2, native, O_NONBLOCK))
		broken("native pipe2");
}

static void end(void)
{
	close_pipe(in);
	close_pipe(out);
	close_pipe(native);
}

static void tee_all(void)
{
	begin(0);
	say_result("tee of an empty pipe", tee(in[0], out[1], 100, 0));
	write(in[1], data, 20000);
	say_result("tee a part", tee(in[0], out[1], 5000, 0));
	say_read("copy", out[0], 0);
	say_result("tee all", tee(in[0], out[1], INT_MAX, 0));
	say_read("copy", out[0], 0);
	say_read("original", in[0], 0);
	say_result("nothing", tee(in[0], out[1], 0, 0));
	say_result("nothing, bad flags", tee(in[0], out[1], 0, 0x100));
	say_result("bad flags", tee(in[0], out[1], 10, 0x100));
	write(in[1], data, 65536);
	say_result("tee a full pipe", tee(in[0], out[1], 65536, 0));
	say_result("tee to a full pipe", tee(in[0], out[1], 65536, 0));
	say_read("copy", out[0], 0);
	read(in[0], got, 5000);
	say_result("tee after a part was read", tee(in[0], out[1], 65536, 0));
	say_read("copy", out[0], 5000);
	say_read("original", in[0], 5000);
	end();
}

/* A pipe that keeps packets apart takes as many bytes at once as any pipe. */
static void tee_packets(void)
{
	int file = memfd_create("in", 0);
	loff_t at = 0;

	begin(0);
	close_pipe(out);
	make_pipe(out, O_NONBLOCK | O_DIRECT);
	write(out[1], data, 100);
	say_read("a packet", out[0], 0);
	write(in[1], data, 65536);
	say_result("tee all to a pipe of packets", tee(in[0], out[1], 1 << 17, 0));
	say_read("copy", out[0], 0);
	say_result("splice all to a pipe of packets",
		   splice(in[0], NULL, out[1], NULL, 1 << 17, 0));
	say_read("copy", out[0], 0);
	write(file, data, 40000);
	say_result("splice a file to a pipe of packets",
		   splice(file, &at, out[1], NULL, 1 << 17, 0));
	say_read("copy", out[0], 0);
	say("position", "%lld", (long long)at);
	end();
	close(file);
}

/*
 * All bytes that several writes left in a pipe are copied, in whichever mode
 * they were written.
 */
static void tee_several_writes(void)
{
	begin(O_DIRECT);
	write(in[1], data, 100);
	say_read("a packet", in[0], 0);
	fcntl(in[1], F_SETFL, O_NONBLOCK);
	write(in[1], data, 32768);
	write(in[1], data + 32768, 8192);
	say_result("tee of two writes", tee(in[0], out[1], 1 << 17, 0));
	say_read("copy", out[0], 0);
	say_read("both", in[0], 0);
	end();
	begin(0);
	write(in[1], data, 65536);
	fcntl(in[1], F_SETFL, O_NONBLOCK | O_DIRECT);
	say_result("a packet to a full pipe", write(in[1], data, 1));
	say_result("tee of bytes before packets", tee(in[0], out[1], 1 << 17, 0));
	say_read("copy", out[0], 0);
	end();
}

/* Bytes were written, and spliced, in parts of pages. */
static void tee_parts(void)
{
	begin(0);
	write(in[1], data, 5000);
	read(in[0], got, 4500);
	write(in[1], data + 5000, 4096);
	write(out[1], data, 50);
	read(out[0], got, 50);
	say_result("tee parts of pages", tee(in[0], out[1], 4000, 0));
	say_read("copy", out[0], 4500);
	say_result("tee and splice", tee(in[0], out[1], 1000, 0));
	say_result("splice what was copied",
		   splice(in[0], NULL, native[1], NULL, 1000, 0));
	say_read("spliced", native[0], 4500);
	say_read("copy", out[0], 4500);
	say_read("left", in[0], 5500);
	end();
}

static void tee_native(void)
{
	begin(0);
	say_result("tee of an empty native pipe", tee(native[0], out[1], 100, 0));
	write(native[1], data, 9000);
	say_result("tee of a native pipe", tee(native[0], out[1], 65536, 0));
	say_read("copy", out[0], 0);
	say_read("original", native[0], 0);
	say_result("tee of an empty pipe to native", tee(in[0], native[1], 100, 0));
	write(in[1], data, 9000);
	say_result("tee to a native pipe", tee(in[0], native[1], 65536, 0));
	say_read("copy", native[0], 0);
	say_read("original", in[0], 0);
	fill(native[1], 4096);
	write(in[1], data, 10);
	say_result("tee to a full native pipe", tee(in[0], native[1], 10, 0));
	write(out[1], data, 65536);
	say_result("tee of native to a full pipe", tee(native[0], out[1], 10, 0));
	end();
}

static void tee_errors(void)
{
	int null = open("/dev/null", O_RDWR);

	begin(0);
	write(in[1], data, 10);
	say_result("tee to itself", tee(in[0], in[1], 10, 0));
	say_result("tee to a file", tee(in[0], null, 10, 0));
	say_result("tee of a file", tee(null, out[1], 10, 0));
	say_result("tee of a writing end", tee(in[1], out[1], 10, 0));
	say_result("tee to a reading end", tee(in[0], out[0], 10, 0));
	say_result("tee to no descriptor", tee(in[0], -1, 10, 0));
	say_result("tee of no descriptor", tee(-1, out[1], 10, 0));
	close(out[0]);
	signal(SIGPIPE, SIG_IGN);
	say_result("tee without a reader", tee(in[0], out[1], 10, 0));
	read(in[0], got, 10);
	close(in[1]);
	say_result("tee without a writer", tee(in[0], native[1], 10, 0));
	close(in[0]);
	close(out[1]);
	close_pipe(native);
	close(null);
}

static void vmsplice_in(void)
{
	struct iovec iov[3] = { { data, 1000 }, { data + 1000, 0 }, { data + 1000, 9000 } };

	begin(0);
	say_result("vmsplice to pipe", vmsplice(in[1], iov, 3, 0));
	say_read("read", in[0], 0);
	say_result("vmsplice of nothing", vmsplice(in[1], iov, 0, 0));
	say_result("vmsplice of no bytes", vmsplice(in[1], iov + 1, 1, 0));
	say_result("vmsplice, bad flags", vmsplice(in[1], iov, 1, 0x100));
	say_result("vmsplice, all flags", vmsplice(in[1], iov, 1, 0xf));
	say_result("vmsplice, too many", vmsplice(in[1], iov, IOV_MAX + 1, 0));
	say_result("vmsplice, bad vector", vmsplice(in[1], (struct iovec *)16, 1, 0));
	iov[0].iov_base = (void *)16;
	say_result("vmsplice, bad address", vmsplice(in[1], iov, 1, 0));
	iov[0].iov_len = -1;
	say_result("vmsplice, bad length", vmsplice(in[1], iov, 1, 0));
	say_result("vmsplice to no descriptor", vmsplice(-1, iov, 1, 0));
	say_result("left", drain(in[0]));
	iov[0] = (struct iovec){ data, 65536 };
	write(in[1], data, 8192);
	say_result("vmsplice more than fits", vmsplice(in[1], iov, 1, 0));
	say_result("vmsplice to full", vmsplice(in[1], iov, 1, SPLICE_F_NONBLOCK));
	read(in[0], got, 8192);
	say_read("read", in[0], 0);
	close(in[0]);
	signal(SIGPIPE, SIG_IGN);
	say_result("vmsplice without a reader", vmsplice(in[1], iov, 1, 0));
	close(in[1]);
	close_pipe(out);
	close_pipe(native);
}

static void vmsplice_out(void)
{
	struct iovec iov[2] = { { got, 3000 }, { got + 3000, 4000 } };

	begin(0);
	write(in[1], data, 10000);
	memset(got, 0, sizeof(got));
	say_result("vmsplice from pipe", vmsplice(in[0], iov, 2, 0));
	say("same", "%d", !memcmp(got, data, 7000));
	iov[0].iov_base = (void *)16;
	say_result("vmsplice from pipe, bad address", vmsplice(in[0], iov, 1, 0));
	say_read("left", in[0], 7000);
	iov[0].iov_base = got;
	say_result("vmsplice from empty", vmsplice(in[0], iov, 1, SPLICE_F_NONBLOCK));
	close(in[1]);
	say_result("vmsplice at the end", vmsplice(in[0], iov, 1, 0));
	close(in[0]);
	close_pipe(out);
	close_pipe(native);
}

int main(void)
{
	size_t i;

	for (i = 0; i < sizeof(data); i++)
		data[i] = i * 7 + (i >> 8);
	tee_all();
	tee_packets();
	tee_several_writes();
	tee_parts();
	tee_native();
	tee_errors();
	vmsplice_in();
	vmsplice_out();
	return 0;
}
