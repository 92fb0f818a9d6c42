// SPDX-License-Identifier: GPL-2.0-only
/* sad.c - SAD_SAP, SAD_GAP and SAD_VML, whose rules are sad(4)'s */
#include "streams-test.h"

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
	FAILS(ioctl(sad, SAD_GAP, &got), ENODEV);
	IS(ioctl(sad, SAD_SAP, &sap), 0);
	FAILS(ioctl(sad, SAD_SAP, &sap), EEXIST);
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
	IS(ioctl(sad, SAD_GAP, &got), 0);
	IS(got.sap_cmd, SAP_ONE);
	IS(got.sap_minor, sap.sap_minor);
	IS(got.sap_npush, 2);
	IS(strcmp(got.sap_list[0], "nullmod"), 0);
	IS(strcmp(got.sap_list[1], "pipemod"), 0);
	IS(got.sap_list[2][0], 0);
	got.sap_cmd = SAP_CLEAR;
	IS(ioctl(sad, SAD_SAP, &got), 0);
	FAILS(ioctl(sad, SAD_SAP, &got), ENODEV);
	FAILS(ioctl(sad, SAD_GAP, &got), ENODEV);
	IS(modules_of(ECHO), 0);
	/* What is open keeps its modules. */
	IS(ioctl(fd, I_LIST, NULL), 3);
}

static void ranges(void)
{
	struct strapush sap = sap_of(ECHO, SAP_RANGE), got = sap;
	unsigned int echo = sap.sap_minor;
	int sad = sad_open();

	sap.sap_minor = 0;
	sap.sap_lastminor = 200;
	IS(ioctl(sad, SAD_SAP, &sap), 0);
	IS(modules_of(ECHO), 1);
	IS(modules_of(NULS), 1);
	IS(ioctl(sad, SAD_GAP, &got), 0);
	IS(got.sap_cmd, SAP_RANGE);
	IS(got.sap_minor, 0);
	IS(got.sap_lastminor, 200);
	/* What overlaps with it */
	got = sap_of(ECHO, SAP_ONE);
	FAILS(ioctl(sad, SAD_SAP, &got), EEXIST);
	got.sap_cmd = SAP_ALL;
	FAILS(ioctl(sad, SAD_SAP, &got), EEXIST);
	got.sap_cmd = SAP_RANGE;
	got.sap_minor = 200;
	got.sap_lastminor = 201;
	FAILS(ioctl(sad, SAD_SAP, &got), EEXIST);
	/* Not from its middle */
	got.sap_cmd = SAP_CLEAR;
	got.sap_minor = echo ?: 1;
	FAILS(ioctl(sad, SAD_SAP, &got), ERANGE);
	sap.sap_cmd = SAP_CLEAR;
	IS(ioctl(sad, SAD_SAP, &sap), 0);
	IS(modules_of(ECHO), 0);

	/* A range that is none */
	sap.sap_cmd = SAP_RANGE;
	sap.sap_minor = 5;
	sap.sap_lastminor = 5;
	FAILS(ioctl(sad, SAD_SAP, &sap), ERANGE);
	sap.sap_lastminor = 4;
	FAILS(ioctl(sad, SAD_SAP, &sap), ERANGE);
	sap.sap_lastminor = 1U << 20;
	FAILS(ioctl(sad, SAD_SAP, &sap), ERANGE);

	sap.sap_cmd = SAP_ALL;
	sap.sap_minor = 7;
	IS(ioctl(sad, SAD_SAP, &sap), 0);
	IS(modules_of(ECHO), 1);
	IS(modules_of(NULS), 1);
	got.sap_minor = 1000;
	IS(ioctl(sad, SAD_GAP, &got), 0);
	IS(got.sap_cmd, SAP_ALL);
	sap.sap_cmd = SAP_CLEAR;
	FAILS(ioctl(sad, SAD_SAP, &sap), ERANGE);
	sap.sap_minor = 0;
	IS(ioctl(sad, SAD_SAP, &sap), 0);
	IS(modules_of(ECHO), 0);
}

static void errors(void)
{
	struct strapush good = sap_of(ECHO, SAP_ONE), sap;
	int sad = sad_open(), i;

	FAILS(ioctl(sad, SAD_SAP, BAD_POINTER), EFAULT);
	FAILS(ioctl(sad, SAD_GAP, BAD_POINTER), EFAULT);
	FAILS(ioctl(sad, SAD_SAP, NULL), EFAULT);
	FAILS(ioctl(sad, I_LIST, NULL), EINVAL);
	IS(isastream(sad), 0);

	sap = good;
	sap.sap_cmd = 4;
	FAILS(ioctl(sad, SAD_SAP, &sap), EINVAL);
	sap = good;
	sap.sap_npush = 0;
	FAILS(ioctl(sad, SAD_SAP, &sap), EINVAL);
	sap.sap_npush = MAXAPUSH + 1;
	FAILS(ioctl(sad, SAD_SAP, &sap), EINVAL);
	sap.sap_npush = -1;
	FAILS(ioctl(sad, SAD_SAP, &sap), EINVAL);
	sap = good;
	sap.sap_npush = 2;
	FAILS(ioctl(sad, SAD_SAP, &sap), EINVAL);
	strcpy(sap.sap_list[1], "nosuchmodule");
	FAILS(ioctl(sad, SAD_SAP, &sap), EINVAL);
	memset(sap.sap_list[1], 'n', STRNAMESZ);
	FAILS(ioctl(sad, SAD_SAP, &sap), EINVAL);
	/* Numbers of no device, of another device */
	sap = good;
	sap.sap_major = 1U << 12;
	FAILS(ioctl(sad, SAD_SAP, &sap), EINVAL);
	FAILS(ioctl(sad, SAD_GAP, &sap), EINVAL);
	sap.sap_major = -1;
	FAILS(ioctl(sad, SAD_SAP, &sap), EINVAL);
	sap = good;
	sap.sap_minor = 1U << 20;
	FAILS(ioctl(sad, SAD_SAP, &sap), EINVAL);
	FAILS(ioctl(sad, SAD_GAP, &sap), EINVAL);
	sap = good;
	sap.sap_major = 1;
	FAILS(ioctl(sad, SAD_SAP, &sap), ENOSTR);
	FAILS(ioctl(sad, SAD_GAP, &sap), ENOSTR);
	/* As many as may be */
	sap = good;
	sap.sap_npush = MAXAPUSH;
	for (i = 0; i < MAXAPUSH; i++)
		strcpy(sap.sap_list[i], "nullmod");
	IS(ioctl(sad, SAD_SAP, &sap), 0);
	IS(modules_of(ECHO), MAXAPUSH);
	sap.sap_cmd = SAP_CLEAR;
	IS(ioctl(sad, SAD_SAP, &sap), 0);
}

static void verify(void)
{
	struct str_mlist mods[3] = { { "nullmod" }, { "pipemod" }, { "echo" } };
	struct str_list list = { .sl_nmods = 2, .sl_modlist = mods };
	int sad = sad_open();

	IS(ioctl(sad, SAD_VML, &list), 0);
	/* A driver is no module. */
	list.sl_nmods = 3;
	IS(ioctl(sad, SAD_VML, &list), 1);
	memset(mods[1].l_name, 'n', STRNAMESZ);
	list.sl_nmods = 2;
	IS(ioctl(sad, SAD_VML, &list), 1);
	list.sl_nmods = 0;
	FAILS(ioctl(sad, SAD_VML, &list), EINVAL);
	list.sl_nmods = -1;
	FAILS(ioctl(sad, SAD_VML, &list), EINVAL);
	list.sl_nmods = 1000;
	FAILS(ioctl(sad, SAD_VML, &list), EINVAL);
	list.sl_nmods = 1;
	list.sl_modlist = BAD_POINTER;
	FAILS(ioctl(sad, SAD_VML, &list), EFAULT);
	FAILS(ioctl(sad, SAD_VML, BAD_POINTER), EFAULT);
}

/* A module that does not open: neither does the device. */
static void refused(void)
{
	struct strapush sap = sap_of(ECHO, SAP_ONE);
	int sad = sad_open();

	sap.sap_npush = 2;
	strcpy(sap.sap_list[1], "openfail");
	IS(ioctl(sad, SAD_SAP, &sap), 0);
	FAILS(open(ECHO, O_RDWR), EDOM);
	sap.sap_cmd = SAP_CLEAR;
	IS(ioctl(sad, SAD_SAP, &sap), 0);
	IS(modules_of(ECHO), 0);
}

static void unprivileged(void)
{
	struct strapush sap = sap_of(ECHO, SAP_ONE), got = sap;
	struct str_mlist mods[1] = { { "nullmod" } };
	struct str_list list = { .sl_nmods = 1, .sl_modlist = mods };
	int sad = sad_open();

	IS(ioctl(sad, SAD_SAP, &sap), 0);
	IS(setuid(65534), 0);
	FAILS(ioctl(sad, SAD_SAP, &sap), EPERM);
	sap.sap_cmd = SAP_CLEAR;
	FAILS(ioctl(sad, SAD_SAP, &sap), EPERM);
	close(sad);
	sad = sad_open();
	IS(ioctl(sad, SAD_GAP, &got), 0);
	IS(ioctl(sad, SAD_VML, &list), 0);
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
	return test_main(argc, argv, cases);
}
