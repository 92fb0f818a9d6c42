// SPDX-License-Identifier: GPL-2.0-only
/*
 * transparent - ioctls that the stream head does not know, and those of 32-bit
 * programs
 *
 * On /dev/streams/strcopy and the module strcopy (kmod/test/strcopy.h).
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <termios.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <stropts.h>
#include <strsock.h>
#include <sys/strio.h>

#include "../../../kmod/test/strcopy.h"
#include "../../../kmod/test/strtest.h"
#include "check.h"
#include "waits.h"
#include "compat.h"

enum { ILP32 = 1, LP64 = 2 };

static int dev(void)
{
	int fd = open("/dev/streams/strcopy", O_RDWR);

	TRUE(fd >= 0);
	return fd;
}

static int str(int fd, int cmd, int value)
{
	struct strioctl ic = {
		.ic_cmd = cmd, .ic_timout = WAIT_SECONDS, .ic_len = sizeof(value),
		.ic_dp = (char *)&value,
	};

	return ioctl(fd, I_STR, &ic);
}

/* Checks that all requests to copy were answered. */
static void nothing_left(int fd)
{
	IS(str(fd, STRCOPY_LEFT, 0), 0);
}

static void answers(int fd)
{
	int n = 0;

	IS(ioctl(fd, STRCOPY_MODEL, 0), LP64);
	IS(ioctl(fd, STRCOPY_ARG, 77), 77);
	IS(ioctl(fd, STRCOPY_ARG, -1), 0);
	FAILS(ioctl(fd, STRCOPY_NAK, EDOM), EDOM);
	FAILS(ioctl(fd, STRCOPY_NAK, 0), EINVAL);
	FAILS(ioctl(fd, STRCOPY_NAK, 100000), EINVAL);
	FAILS(ioctl(fd, STRCOPY_FAIL, ERANGE), ERANGE);
	IS(ioctl(fd, STRCOPY_FAIL, 0), 0);
	IS(ioctl(fd, STRCOPY_GET, &n), 0);
	IS(n, STRCOPY_MAGIC);
	FAILS(ioctl(fd, STRCOPY_GET, (void *)8), EFAULT);
	IS(str(fd, STRCOPY_FAILED, 0), EFAULT);
	nothing_left(fd);
}

static void g_answers(void)
{
	int fd = dev();

	answers(fd);
	FAILS(ioctl(fd, 0x1234, 0), EINVAL);
	FAILS(ioctl(fd, TCGETS, &(struct termios){ 0 }), EINVAL);
	IS(isatty(fd), 0);
	IS(str(fd, STRCOPY_UID, 0), geteuid());
	close(fd);
}

static void g_copies(void)
{
	char text[] = "lower Case 1";
	struct strcopy_upper up = { text, sizeof(text) };
	char *big = calloc(1, 65537);
	int fd = dev();

	IS(ioctl(fd, STRCOPY_UPPER, &up), 0);
	TRUE(!strcmp(text, "LOWER CASE 1"));
	up.text = (void *)8;
	FAILS(ioctl(fd, STRCOPY_UPPER, &up), EFAULT);
	FAILS(ioctl(fd, STRCOPY_UPPER, (void *)8), EFAULT);
	up.text = text;
	up.len = -1;
	FAILS(ioctl(fd, STRCOPY_UPPER, &up), EINVAL);
	IS(str(fd, STRCOPY_FAILED, 0), EINVAL);

	/* The size is the largest of a message, and then larger. */
	IS(str(fd, STRCOPY_SIZE, 65536), 0);
	IS(ioctl(fd, STRCOPY_TAKE, big), 65536);
	IS(str(fd, STRCOPY_SIZE, 65537), 0);
	FAILS(ioctl(fd, STRCOPY_TAKE, big), EINVAL);
	IS(str(fd, STRCOPY_SIZE, 0), 0);
	IS(ioctl(fd, STRCOPY_TAKE, big), 0);
	/*
	 * The program asks for more than the driver has: no byte of the
	 * kernel's memory is copied.
	 */
	FAILS(ioctl(fd, STRCOPY_LEAK, big), EINVAL);
	TRUE(!big[0] && !big[4]);
	IS(ioctl(fd, STRCOPY_TWICE, big), 0);
	IS(ioctl(fd, STRCOPY_ANEW, big), 0);
	FAILS(ioctl(fd, STRCOPY_ANEW, (void *)8), EFAULT);
	/* The data of I_STR is in the message, both ways. */
	FAILS(str(fd, STRCOPY_ASK, 0), EINVAL);
	nothing_left(fd);
	free(big);
	close(fd);
}

/* The caller is interrupted; the driver asks afterwards, and gets an error. */
static void interrupted(int fd, int ack)
{
	FAILS(INTERRUPTED(ioctl(fd, STRCOPY_HOLD, 0)), EINTR);
	IS(str(fd, STRCOPY_LATE, ack), 0);
	nothing_left(fd);
}

static void g_late(void)
{
	int fd = dev();

	interrupted(fd, 0);
	IS(str(fd, STRCOPY_FAILED, 0), EINTR);
	interrupted(fd, 1);
	/* The next ioctl gets its own answer. */
	IS(ioctl(fd, STRCOPY_ARG, 5), 5);
	close(fd);

	/*
	 * The process is killed, and the stream is closed with the ioctl in the
	 * driver.
	 */
	fd = dev();
	{
		pid_t pid = fork();
		int status;

		if (!pid) {
			ioctl(fd, STRCOPY_HOLD, 0);
			_exit(0);
		}
		UNTIL(process_sleeps(pid));
		kill(pid, SIGKILL);
		IS(waitpid(pid, &status, 0), pid);
		IS(str(fd, STRCOPY_LATE, 0), 0);
		nothing_left(fd);
		close(fd);
	}
}

static void *hold(void *arg)
{
	return (void *)(long)(ioctl(*(int *)arg, STRCOPY_HOLD, 0) ? errno : 0);
}

/* While one ioctl waits for its answer another waits for its turn. */
static void g_one_at_a_time(void)
{
	struct sigaction sa = { .sa_handler = interrupter_ignore };
	int fd = dev();
	pthread_t t;
	void *ret;

	sigaction(SIGUSR1, &sa, NULL);
	t = thread_asleep(hold, &fd);
	FAILS(INTERRUPTED(ioctl(fd, STRCOPY_ARG, 1)), EINTR);
	pthread_kill(t, SIGUSR1);
	pthread_join(t, &ret);
	IS((long)ret, EINTR);
	IS(ioctl(fd, STRCOPY_ARG, 1), 1);
	close(fd);
}

/* A pipe answers as a native one until a module on it answers. */
static void pipe_rules(int fd, int pushed)
{
	struct termios t;
	int n = 0;

	FAILS(ioctl(fd, TCGETS, &t), ENOTTY);
	FAILS(ioctl(fd, 0x1234, 0), ENOTTY);
	errno = 0;
	IS(isatty(fd), 0);
	TRUE(errno == ENOTTY);
	if (pushed) {
		IS(ioctl(fd, STRCOPY_GET, &n), 0);
		IS(n, STRCOPY_MAGIC);
	} else {
		FAILS(ioctl(fd, STRCOPY_GET, &n), ENOTTY);
	}
}

static void g_pipes(void)
{
	int fds[2], i;

	TRUE(strpipe(fds) == 0);
	for (i = 0; i < 2; i++)
		pipe_rules(fds[i], 0);
	/* One module passes all ioctls on, the next one knows this one. */
	IS(ioctl(fds[0], I_PUSH, "nullmod"), 0);
	for (i = 0; i < 2; i++)
		pipe_rules(fds[i], 0);
	IS(ioctl(fds[0], I_PUSH, "strcopy"), 0);
	pipe_rules(fds[0], 1);
	answers(fds[0]);
	/* The answer is for the end that pushed the module. */
	pipe_rules(fds[1], 0);
	IS(ioctl(fds[0], I_POP, 0), 0);
	pipe_rules(fds[0], 0);
	IS(ioctl(fds[0], I_PUSH, "strcopy"), 0);
	close(fds[1]);
	FAILS(ioctl(fds[0], TCGETS, &(struct termios){ 0 }), ENOTTY);
	close(fds[0]);
}

/* A module in front of a driver passes on ioctls that it does not know. */
static void g_module(void)
{
	int fd = open("/dev/streams/strtest", O_RDWR);

	TRUE(fd >= 0);
	FAILS(ioctl(fd, STRCOPY_ARG, 3), EINVAL);
	IS(ioctl(fd, I_PUSH, "strcopy"), 0);
	answers(fd);
	FAILS(ioctl(fd, 0x1234, 0), EINVAL);
	IS(ioctl(fd, I_POP, 0), 0);
	FAILS(ioctl(fd, STRCOPY_ARG, 3), EINVAL);
	close(fd);
}

#ifdef __x86_64__
/* The structure of a 32-bit program */
struct upper32 { uint32_t text; int len; };

static void g_compat_transparent(void)
{
	char *mem = low_memory(), *text = mem + 256;
	struct upper32 *up = (void *)mem;
	int *n = (void *)(mem + 128);
	int fd = dev();

	IS(ioctl32(fd, STRCOPY_MODEL, 0), ILP32);
	IS(ioctl32(fd, STRCOPY_ARG, 77), 77);
	IS(ioctl32(fd, STRCOPY_GET, low(n)), 0);
	IS(*n, STRCOPY_MAGIC);
	strcpy(text, "thirty-two");
	up->text = low(text);
	up->len = 11;
	IS(ioctl32(fd, STRCOPY_UPPER, low(up)), 0);
	TRUE(!strcmp(text, "THIRTY-TWO"));
	FAILS(ioctl32(fd, STRCOPY_UPPER, 8), EFAULT);
	FAILS(ioctl32(fd, 0x1234, 0), EINVAL);
	nothing_left(fd);
	close(fd);
}

static void g_compat_str(void)
{
	char *mem = low_memory(), *data = mem + 256;
	struct strioctl32 *ic = (void *)mem;
	int fd = open("/dev/streams/strtest", O_RDWR);

	TRUE(fd >= 0);
	*ic = (struct strioctl32){ STRTEST_ECHO, 0, 7, low(data) };
	strcpy(data, "payload");
	IS(ioctl32(fd, I_STR, low(ic)), STRTEST_RVAL);
	IS(ic->len, 7);
	TRUE(!strcmp(data, "payload"));
	ic->dp = 8;
	FAILS(ioctl32(fd, I_STR, low(ic)), EFAULT);
	FAILS(ioctl32(fd, I_STR, 8), EFAULT);
	*ic = (struct strioctl32){ STRTEST_ECHO, -2, 0, 0 };
	FAILS(ioctl32(fd, I_STR, low(ic)), EINVAL);
	*ic = (struct strioctl32){ STRTEST_ECHO, 0, 65537, low(data) };
	FAILS(ioctl32(fd, I_STR, low(ic)), EINVAL);
	*ic = (struct strioctl32){ STRTEST_SILENT, 1, 0, 0 };
	FAILS(ioctl32(fd, I_STR, low(ic)), ETIME);
	close(fd);
}

static void g_compat_head(void)
{
	char *mem = low_memory(), *name = mem + 1024;
	struct strpeek32 *peek = (void *)mem;
	struct strlist32 *list = (void *)(mem + 128);
	struct str_mlist *names = (void *)(mem + 512);
	struct strio_msg *msg = (void *)(mem + 2048);
	struct strbuf ctl = { .len = 3, .buf = "ctl" };
	struct strbuf data = { .len = 4, .buf = "data" };
	int fds[2], *n = (void *)(mem + 256);

	TRUE(strpipe(fds) == 0);
	IS(putmsg(fds[1], &ctl, &data, 0), 0);
	*peek = (struct strpeek32){
		.ctl = { 16, -5, low(mem + 4096) },
		.data = { 2, -5, low(mem + 4160) },
	};
	IS(ioctl32(fds[0], I_PEEK, low(peek)), 1);
	IS(peek->ctl.len, 3);
	IS(peek->data.len, 2);
	TRUE(!memcmp(mem + 4096, "ctl", 3) && !memcmp(mem + 4160, "da", 3));
	peek->flags = RS_HIPRI;
	IS(ioctl32(fds[0], I_PEEK, low(peek)), 0);
	peek->flags = 8;
	FAILS(ioctl32(fds[0], I_PEEK, low(peek)), EINVAL);
	peek->flags = 0;
	peek->data.buf = 8;
	FAILS(ioctl32(fds[0], I_PEEK, low(peek)), EFAULT);
	FAILS(ioctl32(fds[0], I_PEEK, 8), EFAULT);

	IS(ioctl32(fds[0], I_NREAD, low(n)), 1);
	IS(*n, 4);
	*msg = (struct strio_msg){
		.ctl = { 16, 0, low(mem + 4096) },
		.data = { 16, 0, low(mem + 4160) },
		.flags = MSG_ANY,
	};
	IS(ioctl32(fds[0], STRIO_GETMSG, low(msg)), 0);
	IS(msg->ctl.len, 3);
	IS(msg->data.len, 4);

	strcpy(name, "nullmod");
	IS(ioctl32(fds[0], I_PUSH, low(name)), 0);
	IS(ioctl32(fds[0], I_FIND, low(name)), 1);
	IS(ioctl32(fds[0], I_LIST, 0), 1);
	*list = (struct strlist32){ 4, low(names) };
	IS(ioctl32(fds[0], I_LIST, low(list)), 0);
	IS(list->nmods, 1);
	TRUE(!strcmp(names[0].l_name, "nullmod"));
	list->nmods = 0;
	FAILS(ioctl32(fds[0], I_LIST, low(list)), EINVAL);
	*list = (struct strlist32){ 4, 8 };
	FAILS(ioctl32(fds[0], I_LIST, low(list)), EFAULT);
	FAILS(ioctl32(fds[0], I_LIST, 8), EFAULT);
	FAILS(ioctl32(fds[0], TCGETS, low(mem)), ENOTTY);
	close(fds[0]);
	close(fds[1]);
}
#endif

static const struct test_case groups[] = {
	{ "answers", g_answers },
	{ "copies", g_copies },
	{ "late", g_late },
	{ "one-at-a-time", g_one_at_a_time },
	{ "pipes", g_pipes },
	{ "module", g_module },
#ifdef __x86_64__
	{ "compat-transparent", g_compat_transparent },
	{ "compat-str", g_compat_str },
	{ "compat-head", g_compat_head },
#endif
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, groups);
}
