// SPDX-License-Identifier: GPL-2.0-only
/* sad.c - SAD_SAP, SAD_GAP and SAD_VML, whose rules are sad(4)'s */
#include "cover.h"

#include <sys/sad.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

static int sad_open(void)
{
	int fd = open(SAD_DEVICE, O_RDWR | O_CLOEXEC);

	TRUE(fd >= 0);
	return fd;
}

static struct strapush sap_of(const char *path, unsigned int cmd)
{
	struct strapush sap = { .sap_cmd = cmd, .sap_npush = 1 };
	struct stat st;

	IS(stat(path, &st), 0);
	sap.sap_major = major(st.st_rdev);
	sap.sap_minor = minor(st.st_rdev);
	strcpy(sap.sap_list[0], "nullmod");
	return sap;
}

static int modules_of(const char *path)
{
	int fd = open(path, O_RDWR), n;

	TRUE(fd >= 0);
	n = ioctl(fd, I_LIST, NULL) - 1;
	close(fd);
	return n;
}

#define ECHO	"/dev/streams/echo"
#define NULS	"/dev/streams/nuls"

static void one(void)
{
	struct strapush sap = sap_of(ECHO, SAP_ONE), got = sap;
	struct str_mlist mods[4];
	struct str_list list = { .sl_nmods = 4, .sl_modlist = mods };
	int sad = sad_open(), fd;

	strcpy(sap.sap_list[1], "pipemod");
	sap.sap_npush = 2;
	IS(modules_of(ECHO), 0);
	FAILS_WITH("SAD_GAP", ENODEV, "nothing is set", ioctl(sad, SAD_GAP, &got));
	GIVES("SAD_SAP", "one device", ioctl(sad, SAD_SAP, &sap), 0);
	FAILS_WITH("SAD_SAP", EEXIST, "set already", ioctl(sad, SAD_SAP, &sap));
	fd = open(ECHO, O_RDWR);
	IS(ioctl(fd, I_LIST, &list), 0);
	IS(list.sl_nmods, 3);
	/* The first of the list was pushed first. */
	IS(strcmp(mods[0].l_name, "pipemod"), 0);
	IS(strcmp(mods[1].l_name, "nullmod"), 0);
	IS(strcmp(mods[2].l_name, "echo"), 0);
	IS(modules_of(NULS), 0);
	memset(&got, 0, sizeof(got));
	got.sap_major = sap.sap_major;
	got.sap_minor = sap.sap_minor;
	GIVES("SAD_GAP", "the configuration", ioctl(sad, SAD_GAP, &got), 0);
	IS(got.sap_cmd, SAP_ONE);
	IS(got.sap_minor, sap.sap_minor);
	IS(got.sap_npush, 2);
	IS(strcmp(got.sap_list[0], "nullmod"), 0);
	IS(strcmp(got.sap_list[1], "pipemod"), 0);
	IS(got.sap_list[2][0], 0);
	got.sap_cmd = SAP_CLEAR;
	GIVES("SAD_SAP", "SAP_CLEAR", ioctl(sad, SAD_SAP, &got), 0);
	FAILS_WITH("SAD_SAP", ENODEV, "cleared already", ioctl(sad, SAD_SAP, &got));
	FAILS_WITH("SAD_GAP", ENODEV, "cleared", ioctl(sad, SAD_GAP, &got));
	IS(modules_of(ECHO), 0);
	/* An open device keeps its modules. */
	IS(ioctl(fd, I_LIST, NULL), 3);
}

static void ranges(void)
{
	struct strapush sap = sap_of(ECHO, SAP_RANGE), got = sap;
	unsigned int echo = sap.sap_minor;
	int sad = sad_open();

	sap.sap_minor = 0;
	sap.sap_lastminor = 200;
	GIVES("SAD_SAP", "SAP_RANGE", ioctl(sad, SAD_SAP, &sap), 0);
	IS(modules_of(ECHO), 1);
	IS(modules_of(NULS), 1);
	GIVES("SAD_GAP", "of a range", ioctl(sad, SAD_GAP, &got), 0);
	IS(got.sap_cmd, SAP_RANGE);
	IS(got.sap_minor, 0);
	IS(got.sap_lastminor, 200);
	/* Ranges that overlap with the number are refused. */
	got = sap_of(ECHO, SAP_ONE);
	FAILS_WITH("SAD_SAP", EEXIST, "in a range", ioctl(sad, SAD_SAP, &got));
	got.sap_cmd = SAP_ALL;
	FAILS_WITH("SAD_SAP", EEXIST, "SAP_ALL over a range", ioctl(sad, SAD_SAP, &got));
	got.sap_cmd = SAP_RANGE;
	got.sap_minor = 200;
	got.sap_lastminor = 201;
	FAILS_WITH("SAD_SAP", EEXIST, "a range over a range", ioctl(sad, SAD_SAP, &got));
	/* A range is not cleared from its middle. */
	got.sap_cmd = SAP_CLEAR;
	got.sap_minor = echo ?: 1;
	FAILS_WITH("SAD_SAP", ERANGE, "SAP_CLEAR from its middle", ioctl(sad, SAD_SAP, &got));
	sap.sap_cmd = SAP_CLEAR;
	GIVES("SAD_SAP", "SAP_CLEAR, a range", ioctl(sad, SAD_SAP, &sap), 0);
	IS(modules_of(ECHO), 0);

	/* These ranges are not valid. */
	sap.sap_cmd = SAP_RANGE;
	sap.sap_minor = 5;
	sap.sap_lastminor = 5;
	FAILS_WITH("SAD_SAP", ERANGE, "a range of one", ioctl(sad, SAD_SAP, &sap));
	sap.sap_lastminor = 4;
	FAILS_WITH("SAD_SAP", ERANGE, "a range backwards", ioctl(sad, SAD_SAP, &sap));
	sap.sap_lastminor = 1U << 20;
	FAILS_WITH("SAD_SAP", ERANGE, "a range too far", ioctl(sad, SAD_SAP, &sap));

	sap.sap_cmd = SAP_ALL;
	sap.sap_minor = 7;
	GIVES("SAD_SAP", "SAP_ALL", ioctl(sad, SAD_SAP, &sap), 0);
	IS(modules_of(ECHO), 1);
	IS(modules_of(NULS), 1);
	got.sap_minor = 1000;
	GIVES("SAD_GAP", "of all", ioctl(sad, SAD_GAP, &got), 0);
	IS(got.sap_cmd, SAP_ALL);
	sap.sap_cmd = SAP_CLEAR;
	FAILS_WITH("SAD_SAP", ERANGE, "SAP_CLEAR in the middle of all", ioctl(sad, SAD_SAP, &sap));
	sap.sap_minor = 0;
	GIVES("SAD_SAP", "SAP_CLEAR, all", ioctl(sad, SAD_SAP, &sap), 0);
	IS(modules_of(ECHO), 0);
}

static void errors(void)
{
	struct strapush good = sap_of(ECHO, SAP_ONE), sap;
	int sad = sad_open(), i;

	FAILS_WITH("SAD_SAP", EFAULT, "bad arg", ioctl(sad, SAD_SAP, BAD_POINTER));
	FAILS_WITH("SAD_GAP", EFAULT, "bad arg", ioctl(sad, SAD_GAP, BAD_POINTER));
	FAILS_WITH("SAD_SAP", EFAULT, "no arg", ioctl(sad, SAD_SAP, NULL));
	FAILS(ioctl(sad, I_LIST, NULL), EINVAL);
	IS(isastream(sad), 0);

	sap = good;
	sap.sap_cmd = 4;
	FAILS_WITH("SAD_SAP", EINVAL, "no such command", ioctl(sad, SAD_SAP, &sap));
	sap = good;
	sap.sap_npush = 0;
	FAILS_WITH("SAD_SAP", EINVAL, "no module", ioctl(sad, SAD_SAP, &sap));
	sap.sap_npush = MAXAPUSH + 1;
	FAILS_WITH("SAD_SAP", EINVAL, "too many modules", ioctl(sad, SAD_SAP, &sap));
	sap.sap_npush = -1;
	FAILS_WITH("SAD_SAP", EINVAL, "-1 modules", ioctl(sad, SAD_SAP, &sap));
	sap = good;
	sap.sap_npush = 2;
	FAILS_WITH("SAD_SAP", EINVAL, "an empty name", ioctl(sad, SAD_SAP, &sap));
	strcpy(sap.sap_list[1], "nosuchmodule");
	FAILS_WITH("SAD_SAP", EINVAL, "no such module", ioctl(sad, SAD_SAP, &sap));
	memset(sap.sap_list[1], 'n', STRNAMESZ);
	FAILS_WITH("SAD_SAP", EINVAL, "a name without end", ioctl(sad, SAD_SAP, &sap));
	/* Numbers of no device, or of another device, are refused. */
	sap = good;
	sap.sap_major = 1U << 12;
	FAILS_WITH("SAD_SAP", EINVAL, "no such major number", ioctl(sad, SAD_SAP, &sap));
	FAILS_WITH("SAD_GAP", EINVAL, "no such major number", ioctl(sad, SAD_GAP, &sap));
	sap.sap_major = -1;
	FAILS_WITH("SAD_SAP", EINVAL, "major number -1", ioctl(sad, SAD_SAP, &sap));
	sap = good;
	sap.sap_minor = 1U << 20;
	FAILS_WITH("SAD_SAP", EINVAL, "no such minor number", ioctl(sad, SAD_SAP, &sap));
	FAILS_WITH("SAD_GAP", EINVAL, "no such minor number", ioctl(sad, SAD_GAP, &sap));
	sap = good;
	sap.sap_major = 1;
	FAILS_WITH("SAD_SAP", ENOSTR, "a device of others", ioctl(sad, SAD_SAP, &sap));
	FAILS_WITH("SAD_GAP", ENOSTR, "a device of others", ioctl(sad, SAD_GAP, &sap));
	/* The list has as many modules as may be. */
	sap = good;
	sap.sap_npush = MAXAPUSH;
	for (i = 0; i < MAXAPUSH; i++)
		strcpy(sap.sap_list[i], "nullmod");
	GIVES("SAD_SAP", "8 modules", ioctl(sad, SAD_SAP, &sap), 0);
	IS(modules_of(ECHO), MAXAPUSH);
	sap.sap_cmd = SAP_CLEAR;
	GIVES("SAD_SAP", "SAP_CLEAR, 8 modules", ioctl(sad, SAD_SAP, &sap), 0);
}

static void verify(void)
{
	struct str_mlist mods[3] = { { "nullmod" }, { "pipemod" }, { "echo" } };
	struct str_list list = { .sl_nmods = 2, .sl_modlist = mods };
	int sad = sad_open();

	GIVES("SAD_VML", "modules", ioctl(sad, SAD_VML, &list), 0);
	/* A driver is not a module. */
	list.sl_nmods = 3;
	GIVES("SAD_VML", "a driver", ioctl(sad, SAD_VML, &list), 1);
	memset(mods[1].l_name, 'n', STRNAMESZ);
	list.sl_nmods = 2;
	GIVES("SAD_VML", "a name without end", ioctl(sad, SAD_VML, &list), 1);
	list.sl_nmods = 0;
	FAILS_WITH("SAD_VML", EINVAL, "no names", ioctl(sad, SAD_VML, &list));
	list.sl_nmods = -1;
	FAILS_WITH("SAD_VML", EINVAL, "-1 names", ioctl(sad, SAD_VML, &list));
	list.sl_nmods = 1000;
	FAILS_WITH("SAD_VML", EINVAL, "too many names", ioctl(sad, SAD_VML, &list));
	list.sl_nmods = 1;
	list.sl_modlist = BAD_POINTER;
	FAILS_WITH("SAD_VML", EFAULT, "bad names", ioctl(sad, SAD_VML, &list));
	FAILS_WITH("SAD_VML", EFAULT, "bad arg", ioctl(sad, SAD_VML, BAD_POINTER));
}

/* A device does not open if its module does not open. */
static void refused(void)
{
	struct strapush sap = sap_of(ECHO, SAP_ONE);
	int sad = sad_open();

	sap.sap_npush = 2;
	strcpy(sap.sap_list[1], "openfail");
	GIVES("SAD_SAP", "a module that does not open", ioctl(sad, SAD_SAP, &sap), 0);
	FAILS(open(ECHO, O_RDWR), EDOM);
	sap.sap_cmd = SAP_CLEAR;
	GIVES("SAD_SAP", "SAP_CLEAR, after it", ioctl(sad, SAD_SAP, &sap), 0);
	IS(modules_of(ECHO), 0);
}

static void unprivileged(void)
{
	struct strapush sap = sap_of(ECHO, SAP_ONE), got = sap;
	struct str_mlist mods[1] = { { "nullmod" } };
	struct str_list list = { .sl_nmods = 1, .sl_modlist = mods };
	int sad = sad_open();

	GIVES("SAD_SAP", "by root", ioctl(sad, SAD_SAP, &sap), 0);
	IS(setuid(65534), 0);
	FAILS_WITH("SAD_SAP", EPERM, "SAP_ONE without privileges", ioctl(sad, SAD_SAP, &sap));
	sap.sap_cmd = SAP_CLEAR;
	FAILS_WITH("SAD_SAP", EPERM, "SAP_CLEAR without privileges", ioctl(sad, SAD_SAP, &sap));
	close(sad);
	sad = sad_open();
	GIVES("SAD_GAP", "without privileges", ioctl(sad, SAD_GAP, &got), 0);
	GIVES("SAD_VML", "without privileges", ioctl(sad, SAD_VML, &list), 0);
	IS(modules_of(ECHO), 1);
}

static const struct test_case cases[] = {
	{ "one", one },
	{ "ranges", ranges },
	{ "errors", errors },
	{ "verify", verify },
	{ "refused", refused },
	{ "unprivileged", unprivileged },
	{ }
};

int main(int argc, char **argv)
{
	return cover_main(argc, argv, cases);
}
