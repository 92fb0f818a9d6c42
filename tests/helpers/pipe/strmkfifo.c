// SPDX-License-Identifier: GPL-2.0-only
/* strmkfifo.c - strmkfifo(3); run in a folder of its own */
#include "streams-test.h"

#include <fcntl.h>
#include <strsock.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

static void gone(const char *path)
{
	IS(fdetach(path), 0);
	IS(unlink(path), 0);
}

static mode_t mode_of(const char *path)
{
	struct stat st;

	IS(stat(path, &st), 0);
	TRUE(S_ISFIFO(st.st_mode));
	return st.st_mode & 07777;
}

static void run_stream(void)
{
	struct strbuf ctl = { .len = 3, .maxlen = 8 }, data = { .len = 4, .maxlen = 8 };
	char control[8] = "ctl", text[8] = "data";
	int r, w, flags = 0;

	IS(strmkfifo("fifo", 0600), 0);
	mode_of("fifo");
	r = open("fifo", O_RDONLY | O_NONBLOCK);
	w = open("fifo", O_WRONLY);
	TRUE(r >= 0 && w >= 0);
	IS(isastream(r), 1);
	IS(write(w, "hello", 5), 5);
	IS(read(r, text, sizeof(text)), 5);
	IS(memcmp(text, "hello", 5), 0);
	ctl.buf = control;
	data.buf = text;
	IS(putmsg(w, &ctl, &data, 0), 0);
	memset(control, 0, sizeof(control));
	IS(getmsg(r, &ctl, &data, &flags), 0);
	IS(ctl.len, 3);
	IS(data.len, 4);
	IS(memcmp(control, "ctl", 3), 0);
	close(r);
	close(w);
	gone("fifo");
}

static void run_modes(void)
{
	umask(027);
	IS(strmkfifo("a", 0666), 0);
	IS(mode_of("a"), 0640);
	/*
	 * fattach() needs a file that its owner can write to; the FIFO itself
	 * need not be.
	 */
	IS(strmkfifo("b", 0444), 0);
	IS(mode_of("b"), 0440);
	IS(strmkfifo("c", 0), 0);
	IS(mode_of("c"), 0);
	/* Bits other than permissions are ignored. */
	IS(strmkfifo("d", 07600), 0);
	IS(mode_of("d"), 0600);
	gone("a");
	gone("b");
	gone("c");
	gone("d");
}

static void run_errors(void)
{
	char name[300];
	int fd = open("file", O_CREAT | O_WRONLY, 0600), i, before;

	close(fd);
	before = dup(0);
	close(before);
	FAILS(strmkfifo("file", 0600), EEXIST);
	IS(symlink("nowhere", "link"), 0);
	FAILS(strmkfifo("link", 0600), EEXIST);
	FAILS(access("nowhere", F_OK), ENOENT);
	FAILS(strmkfifo("none/fifo", 0600), ENOENT);
	FAILS(strmkfifo("file/fifo", 0600), ENOTDIR);
	FAILS(strmkfifo("", 0600), ENOENT);
	for (i = 0; i < 299; i++)
		name[i] = 'x';
	name[299] = '\0';
	FAILS(strmkfifo(name, 0600), ENAMETOOLONG);
	/* Every descriptor was closed. */
	fd = dup(0);
	IS(fd, before);
}

/* The caller has neither the privilege to attach nor a helper with it. */
static void run_unprivileged(void)
{
	IS(chmod(".", 0777), 0);
	IS(seteuid(65534), 0);
	FAILS(strmkfifo("fifo", 0600), EPERM);
	FAILS(access("fifo", F_OK), ENOENT);
}

static void run_not_loaded(void)
{
	FAILS(strmkfifo("fifo", 0600), ENOENT);
	FAILS(access("fifo", F_OK), ENOENT);
}

static const struct test_case cases[] = {
	{ "stream", run_stream },
	{ "modes", run_modes },
	{ "errors", run_errors },
	{ "unprivileged", run_unprivileged },
	{ "not-loaded", run_not_loaded },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
