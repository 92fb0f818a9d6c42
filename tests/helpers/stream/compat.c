// SPDX-License-Identifier: GPL-2.0-only
/*
 * compat - 32-bit callers of the ioctls of the stream head, of sad and the log
 *
 * transparent.c tests those of I_STR, I_PEEK and I_LIST, and a driver's own
 * ioctls.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <stropts.h>
#include <strsock.h>
#include <sys/sad.h>
#include <sys/strio.h>
#include <sys/strlog.h>

#include "../../../kmod/test/strddi.h"
#include "../../../kmod/test/strprobe.h"
#include "check.h"
#include "waits.h"
#include "compat.h"

#ifdef __x86_64__
struct strfdinsert32 {
	struct strbuf32 ctl, data;
	uint32_t flags;
	int fildes, offset;
};

#define MINUS_1	0xffffffffUL

static char *mem;		/* 64 KiB, of addresses that fit */
static int *number;

static int fds[2];

static void begin(void)
{
	mem = low_memory();
	number = (int *)(mem + 60000);
	TRUE(strpipe(fds) == 0);
}

static int device(const char *name)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/dev/streams/%s", name);
	fd = open(path, O_RDWR);
	TRUE(fd >= 0);
	return fd;
}

/* Returns the value that the command stored, or -1 if it failed. */
static int stored(int fd, unsigned int cmd)
{
	*number = -7;
	return ioctl32(fd, cmd, low(number)) < 0 ? -1 : *number;
}

static void g_options(void)
{
	begin();
	IS(ioctl32(fds[0], I_SRDOPT, RMSGN | RPROTDIS), 0);
	IS(stored(fds[0], I_GRDOPT), RMSGN | RPROTDIS);
	FAILS(ioctl32(fds[0], I_SRDOPT, MINUS_1), EINVAL);
	FAILS(ioctl32(fds[0], I_GRDOPT, 8), EFAULT);
	IS(ioctl32(fds[0], I_SWROPT, SNDZERO), 0);
	IS(stored(fds[0], I_GWROPT), SNDZERO);
	FAILS(ioctl32(fds[0], I_SWROPT, MINUS_1), EINVAL);
	IS(ioctl32(fds[0], I_SERROPT, RERRNONPERSIST), 0);
	IS(stored(fds[0], I_GERROPT), RERRNONPERSIST | WERRNORM);
	FAILS(ioctl32(fds[0], I_SERROPT, MINUS_1), EINVAL);
	*number = 1234;
	IS(ioctl32(fds[0], I_SETCLTIME, low(number)), 0);
	IS(stored(fds[0], I_GETCLTIME), 1234);
	*number = -1;
	FAILS(ioctl32(fds[0], I_SETCLTIME, low(number)), EINVAL);
	FAILS(ioctl32(fds[0], I_SETCLTIME, 8), EFAULT);
}

static void g_queue(void)
{
	struct strbuf data = { .len = 4, .buf = "data" };
	struct bandinfo *band;
	int i;

	begin();
	band = (void *)mem;
	for (i = 0; i < 3; i++)
		IS(putpmsg(fds[1], NULL, &data, i, MSG_BAND), 0);
	IS(stored(fds[0], FIONREAD), 12);
	IS(stored(fds[0], I_GETBAND), 2);
	FAILS(ioctl32(fds[0], I_GETBAND, 8), EFAULT);
	IS(ioctl32(fds[0], I_CKBAND, 1), 1);
	IS(ioctl32(fds[0], I_CKBAND, 3), 0);
	FAILS(ioctl32(fds[0], I_CKBAND, MINUS_1), EINVAL);
	IS(ioctl32(fds[0], I_CANPUT, 1), 1);
	FAILS(ioctl32(fds[0], I_CANPUT, MINUS_1), EINVAL);
	IS(ioctl32(fds[0], I_ATMARK, ANYMARK), 0);
	FAILS(ioctl32(fds[0], I_ATMARK, 0), EINVAL);
	*band = (struct bandinfo){ .bi_pri = 2, .bi_flag = FLUSHR };
	IS(ioctl32(fds[0], I_FLUSHBAND, low(band)), 0);
	IS(ioctl32(fds[0], I_CKBAND, 2), 0);
	band->bi_flag = -1;
	FAILS(ioctl32(fds[0], I_FLUSHBAND, low(band)), EINVAL);
	FAILS(ioctl32(fds[0], I_FLUSHBAND, 8), EFAULT);
	IS(ioctl32(fds[0], I_FLUSH, FLUSHR), 0);
	FAILS(ioctl32(fds[0], I_FLUSH, MINUS_1), EINVAL);
	IS(stored(fds[0], I_NREAD), 0);
}

static volatile sig_atomic_t signals;

static void count(int sig)
{
	signals++;
}

static void g_signals(void)
{
	struct strsigset *set;

	begin();
	set = (void *)mem;
	signal(SIGPOLL, count);
	IS(ioctl32(fds[0], I_SETSIG, S_INPUT), 0);
	IS(stored(fds[0], I_GETSIG), S_INPUT);
	FAILS(ioctl32(fds[0], I_SETSIG, MINUS_1), EINVAL);
	IS(write(fds[1], "x", 1), 1);
	IS(signals, 1);
	*set = (struct strsigset){ .ss_pid = getpid(), .ss_events = S_HIPRI };
	IS(ioctl32(fds[0], I_ESETSIG, low(set)), 0);
	set->ss_events = 0;
	IS(ioctl32(fds[0], I_EGETSIG, low(set)), 0);
	IS(set->ss_events, S_HIPRI);
	FAILS(ioctl32(fds[0], I_ESETSIG, 8), EFAULT);
	FAILS(ioctl32(fds[0], I_EGETSIG, 8), EFAULT);
	/* A group is given by a negative number. */
	setpgid(0, 0);
	*set = (struct strsigset){ .ss_pid = -getpid(), .ss_events = S_MSG };
	IS(ioctl32(fds[0], I_ESETSIG, low(set)), 0);
	IS(ioctl32(fds[0], I_SETSIG, 0), 0);
	FAILS(ioctl32(fds[0], I_GETSIG, low(number)), EINVAL);
}

static void g_modules(void)
{
	char *name;

	begin();
	name = mem;
	strcpy(name, "nullmod");
	IS(ioctl32(fds[0], I_PUSH, low(name)), 0);
	IS(ioctl32(fds[0], I_LOOK, low(mem + 100)), 0);
	TRUE(!strcmp(mem + 100, "nullmod"));
	FAILS(ioctl32(fds[0], I_LOOK, 8), EFAULT);
	FAILS(ioctl32(fds[0], I_PUSH, 8), EFAULT);
	FAILS(ioctl32(fds[0], I_ANCHOR, 0), EINVAL);
	IS(ioctl32(fds[0], I_POP, 0), 0);
	FAILS(ioctl32(fds[0], I_POP, 0), EINVAL);
}

static void g_messages(void)
{
	char ctl[64], data[64];
	struct strbuf c = { .maxlen = 64, .buf = ctl };
	struct strbuf d = { .maxlen = 64, .buf = data };
	int other = device("strprobe"), flags = 0;
	struct strfdinsert32 *f;
	struct strio_msg *msg;
	unsigned int id, told;
	struct strioctl ic = {
		.ic_cmd = STRPROBE_ID, .ic_dp = (char *)&id,
	};

	begin();
	f = (void *)mem;
	msg = (void *)(mem + 1000);
	strcpy(mem + 200, "control-control-");
	strcpy(mem + 300, "data");
	IS(ioctl(other, I_STR, &ic), 0);
	*f = (struct strfdinsert32){
		.ctl = { 0, 16, low(mem + 200) }, .data = { 0, 4, low(mem + 300) },
		.fildes = other, .offset = 8,
	};
	IS(ioctl32(fds[1], I_FDINSERT, low(f)), 0);
	IS(getmsg(fds[0], &c, &d, &flags), 0);
	IS(c.len, 16);
	IS(d.len, 4);
	memcpy(&told, ctl + 8, sizeof(told));
	TRUE(told && told == id);
	TRUE(!memcmp(ctl, "control-", 8) && !memcmp(ctl + 12, "rol-", 4));
	TRUE(!memcmp(data, "data", 4));
	f->flags = RS_HIPRI;
	f->data.len = -1;
	IS(ioctl32(fds[1], I_FDINSERT, low(f)), 0);
	IS(getmsg(fds[0], &c, &d, &flags), 0);
	IS(flags, RS_HIPRI);
	IS(d.len, -1);
	f->flags = 2;
	FAILS(ioctl32(fds[1], I_FDINSERT, low(f)), EINVAL);
	f->flags = 0;
	f->offset = -4;
	FAILS(ioctl32(fds[1], I_FDINSERT, low(f)), EINVAL);
	f->offset = 0;
	f->fildes = -1;
	FAILS(ioctl32(fds[1], I_FDINSERT, low(f)), EINVAL);
	f->fildes = other;
	f->ctl.buf = 8;
	FAILS(ioctl32(fds[1], I_FDINSERT, low(f)), EFAULT);
	f->ctl.len = 1025;
	FAILS(ioctl32(fds[1], I_FDINSERT, low(f)), ERANGE);
	FAILS(ioctl32(fds[1], I_FDINSERT, 8), EFAULT);

	*msg = (struct strio_msg){
		.ctl = { 0, 3, low(mem + 200) }, .data = { 0, 4, low(mem + 300) },
		.band = 7, .flags = MSG_BAND,
	};
	IS(ioctl32(fds[1], STRIO_PUTMSG, low(msg)), 0);
	IS(stored(fds[0], I_GETBAND), 7);
	FAILS(ioctl32(fds[1], STRIO_PUTMSG, 8), EFAULT);
	FAILS(ioctl32(fds[0], STRIO_GETMSG, 8), EFAULT);
	close(other);
}

static void g_files(void)
{
	struct strrecvfd *got;
	int null = open("/dev/null", O_RDWR);
	struct stat a, b;

	begin();
	got = (void *)mem;
	IS(ioctl32(fds[1], I_SENDFD, null), 0);
	memset(mem, 'x', sizeof(*got));
	IS(ioctl32(fds[0], I_RECVFD, low(got)), 0);
	TRUE(got->fd >= 0 && got->fd != null);
	IS(got->uid, geteuid());
	IS(got->gid, getegid());
	TRUE(!fstat(null, &a) && !fstat(got->fd, &b) && a.st_rdev == b.st_rdev);
	FAILS(ioctl32(fds[1], I_SENDFD, MINUS_1), EBADF);
	IS(ioctl32(fds[1], I_SENDFD, null), 0);
	FAILS(ioctl32(fds[0], I_RECVFD, 8), EFAULT);
	/* The descriptor is still there. */
	IS(ioctl32(fds[0], I_RECVFD, low(got)), 0);
	IS(write(fds[1], "x", 1), 1);
	FAILS(ioctl32(fds[0], I_RECVFD, low(got)), EBADMSG);
	IS(fcntl(fds[0], F_SETFL, O_NONBLOCK), 0);
	IS(read(fds[0], mem, 1), 1);
	FAILS(ioctl32(fds[0], I_RECVFD, low(got)), EAGAIN);
}

static void g_links(void)
{
	int up = device("mux"), one = device("echo"), two = device("echo"), id;

	begin();
	FAILS(ioctl32(up, I_LINK, MINUS_1), EBADF);
	FAILS(ioctl32(up, I_PLINK, MINUS_1), EBADF);
	id = ioctl32(up, I_LINK, one);
	TRUE(id > 0);
	IS(ioctl32(up, I_UNLINK, id), 0);
	FAILS(ioctl32(up, I_UNLINK, id), EINVAL);
	TRUE(ioctl32(up, I_LINK, one) > 0);
	TRUE(ioctl32(up, I_LINK, two) > 0);
	FAILS(write(two, "x", 1), EINVAL);
	/* MUXID_ALL is -1 of 32 bits. */
	IS(ioctl32(up, I_UNLINK, MINUS_1), 0);
	IS(write(one, "x", 1), 1);
	IS(write(two, "x", 1), 1);
	id = ioctl32(up, I_PLINK, one);
	TRUE(id > 0);
	IS(ioctl32(up, I_PUNLINK, MINUS_1), 0);
	IS(write(one, "x", 1), 1);
}

static void g_sad(void)
{
	int sad = device("sad"), echo;
	struct strlist32 *list;
	struct strapush *sap;
	struct stat st;

	begin();
	sap = (void *)mem;
	TRUE(!stat("/dev/streams/echo", &st));
	*sap = (struct strapush){
		.sap_cmd = SAP_ONE, .sap_npush = 1, .sap_list = { "nullmod" },
		.sap_major = major(st.st_rdev), .sap_minor = minor(st.st_rdev),
	};
	FAILS(ioctl32(sad, SAD_GAP, low(sap)), ENODEV);
	IS(ioctl32(sad, SAD_SAP, low(sap)), 0);
	FAILS(ioctl32(sad, SAD_SAP, low(sap)), EEXIST);
	echo = device("echo");
	IS(ioctl32(echo, I_LIST, 0), 2);
	sap->sap_npush = 0;
	IS(ioctl32(sad, SAD_GAP, low(sap)), 0);
	IS(sap->sap_npush, 1);
	TRUE(!strcmp(sap->sap_list[0], "nullmod"));
	sap->sap_cmd = SAP_CLEAR;
	IS(ioctl32(sad, SAD_SAP, low(sap)), 0);
	FAILS(ioctl32(sad, SAD_SAP, 8), EFAULT);
	FAILS(ioctl32(sad, SAD_GAP, 8), EFAULT);
	FAILS(ioctl32(sad, 0x1234, 0), EINVAL);

	list = (void *)(mem + 1000);
	strcpy(mem + 2000, "nullmod");
	strcpy(mem + 2000 + STRNAMESZ, "echo");
	*list = (struct strlist32){ 1, low(mem + 2000) };
	IS(ioctl32(sad, SAD_VML, low(list)), 0);
	list->nmods = 2;
	IS(ioctl32(sad, SAD_VML, low(list)), 1);
	list->nmods = -1;
	FAILS(ioctl32(sad, SAD_VML, low(list)), EINVAL);
	*list = (struct strlist32){ 1, 8 };
	FAILS(ioctl32(sad, SAD_VML, low(list)), EFAULT);
	FAILS(ioctl32(sad, SAD_VML, 8), EFAULT);
}

/* 32-bit programs make their requests to the log, and read its messages. */
static void g_log(void)
{
	struct strddi_log say = {
		.mid = 904, .sid = 3, .level = 2, .flags = SL_TRACE, .text = "from 32 bits",
	};
	struct strioctl ic = {
		.ic_cmd = STRDDI_LOG, .ic_len = sizeof(say), .ic_dp = (char *)&say,
	};
	int log = device("log"), ddi = device("strddi");
	struct strioctl32 *ic32;
	struct trace_ids *ids;
	struct strio_msg *msg;
	struct log_ctl *ctl;

	begin();
	ic32 = (void *)mem;
	ids = (void *)(mem + 100);
	msg = (void *)(mem + 200);
	ctl = (void *)(mem + 400);
	ids[0] = (struct trace_ids){ .ti_mid = 904, .ti_sid = 3, .ti_level = 2 };
	*ic32 = (struct strioctl32){ I_TRCLOG, 5, sizeof(*ids), low(ids) };
	IS(ioctl32(log, I_STR, low(ic32)), 0);
	*ic32 = (struct strioctl32){ I_TRCLOG, 5, sizeof(*ids) - 1, low(ids) };
	FAILS(ioctl32(log, I_STR, low(ic32)), EINVAL);
	IS(ioctl(ddi, I_STR, &ic), 0);
	*msg = (struct strio_msg){
		.ctl = { sizeof(*ctl), 0, low(ctl) }, .data = { 1024, 0, low(mem + 1000) },
		.flags = MSG_ANY,
	};
	IS(ioctl32(log, STRIO_GETMSG, low(msg)), 0);
	IS(msg->ctl.len, sizeof(*ctl));
	IS(ctl->mid, 904);
	IS(ctl->sid, 3);
	IS(ctl->level, 2);
	IS(ctl->flags, SL_TRACE);
	TRUE(!strcmp(mem + 1000, "from 32 bits: 42"));
}

static void g_pipe(void)
{
	int first = device("pipe"), *made;
	struct strio_pipe *arg;
	char c;

	begin();
	arg = (void *)mem;
	made = (int *)(mem + 100);
	FAILS(ioctl32(first, STRIO_PIPE, 8), EFAULT);
	*arg = (struct strio_pipe){ .fds = low(made), .first = first, .flags = O_APPEND };
	FAILS(ioctl32(first, STRIO_PIPE, low(arg)), EINVAL);
	arg->flags = 0;
	IS(ioctl32(first, STRIO_PIPE, low(arg)), 0);
	IS(made[0], first);
	IS(ioctl32(made[0], STRIO_ISASTREAM, 0), 1);
	IS(write(made[0], "x", 1), 1);
	IS(read(made[1], &c, 1), 1);
	FAILS(ioctl32(first, STRIO_PIPE, low(arg)), EBUSY);
}

static void g_splice(void)
{
	struct { uint32_t base, len; } *iov;
	struct strio_vmsplice *memory;
	struct strio_splice *arg;
	int file, other[2];

	begin();
	TRUE(strpipe(other) == 0);
	file = open("/dev/null", O_RDWR);
	arg = (void *)mem;
	memory = (void *)(mem + 100);
	iov = (void *)(mem + 200);
	iov[0].base = low(strcpy(mem + 1000, "hello "));
	iov[0].len = 6;
	iov[1].base = low(strcpy(mem + 2000, "world"));
	iov[1].len = 5;
	*memory = (struct strio_vmsplice){ .iov = low(iov), .nr = 2 };
	IS(ioctl32(fds[0], STRIO_VMSPLICE, low(memory)), 11);
	*arg = (struct strio_splice){ .in = fds[1], .out = other[0], .len = 100 };
	IS(ioctl32(fds[0], STRIO_TEE, low(arg)), 11);
	IS(ioctl32(fds[0], STRIO_SPLICE, low(arg)), 11);
	IS(read(other[1], mem + 3000, 11), 11);
	TRUE(!memcmp(mem + 3000, "hello world", 11));
	*arg = (struct strio_splice){ .in = other[1], .out = file, .len = 100 };
	IS(ioctl32(other[0], STRIO_SPLICE, low(arg)), 11);
	FAILS(ioctl32(other[0], STRIO_SPLICE, 8), EFAULT);
	FAILS(ioctl32(other[0], STRIO_VMSPLICE, 8), EFAULT);
}
#endif

static const struct test_case groups[] = {
#ifdef __x86_64__
	{ "options", g_options },
	{ "queue", g_queue },
	{ "signals", g_signals },
	{ "modules", g_modules },
	{ "messages", g_messages },
	{ "files", g_files },
	{ "links", g_links },
	{ "sad", g_sad },
	{ "log", g_log },
	{ "pipe", g_pipe },
	{ "splice", g_splice },
#endif
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, groups);
}
