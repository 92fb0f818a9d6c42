// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/streams/sad: its ioctls, of a user's memory that may be missing or change
 * between two copies, and the devices that are opened and go
 */
#include <linux/types.h>
#include <linux/fs.h>
#include <sys/sad.h>

#include "streams/device/cdev.h"
#include "fuzz.h"
#include "streams/head/head.h"
#include "streams/module/registry.h"
#include "streams/device/sad.h"

#define STEPS	60
#define MAJOR	240

static const struct file_operations *fops;
static struct input *input;

static const struct cred root, other = { .euid = { 1000 } };

/* The registry: modules of one letter */
const struct strmod *strmod_get(const char *name)
{
	static const struct strmod mod;

	if (strnlen(name, STRNAMESZ) >= STRNAMESZ)
		fuzz_die("a module's name that does not end");
	return name[0] >= 'a' && name[0] <= 'd' && !name[1] ? &mod : NULL;
}

void strmod_put(const struct strmod *mod)
{
}

int str_cdev_node_add_fops(const char *name, const struct file_operations *f,
			   int *minor)
{
	fops = f;
	*minor = 1;
	return 0;
}

void str_cdev_node_del(int minor)
{
}

unsigned int cdev_major(void)
{
	return MAJOR;
}

/* Of streams/head/plumb.c */
static unsigned int pushed;

int str_push(struct stream *sd, const char *name, int oflag)
{
	if (!sd->sd_ioctl_mutex.held)
		fuzz_die("a push without sd_ioctl_mutex");
	if (!strmod_get(name))
		fuzz_die("a module that was not known when it was configured");
	pushed++;
	return (input_byte(input) & 15) == 15 ? -EINVAL : 0;
}

/* The user's memory: an address is one of the structures below, or none. */
static struct strapush user_sap;
static struct str_mlist user_names[NSTRPUSH + 1];
static struct str_list user_list = { .sl_modlist = user_names };

static bool is_there(const void *at, size_t n, const void *object, size_t size)
{
	const char *from = at, *start = object;

	return from >= start && from - start <= (ptrdiff_t)size &&
	       size - (from - start) >= n;
}

static bool is_user(const void *at, size_t n)
{
	if ((input_byte(input) & 15) == 15)
		return false;
	return is_there(at, n, &user_sap, sizeof(user_sap)) ||
	       is_there(at, n, user_names, sizeof(user_names)) ||
	       is_there(at, n, &user_list, sizeof(user_list));
}

unsigned long copy_from_user(void *to, const void __user *from, size_t n)
{
	fuzz_may_sleep();
	if (!is_user(from, n))
		return n;
	memcpy(to, from, n);
	return 0;
}

unsigned long copy_to_user(void __user *to, const void *from, size_t n)
{
	fuzz_may_sleep();
	if (!is_user(to, n))
		return n;
	memcpy(to, from, n);
	return 0;
}

/* Entries stay until they are cleared: those that this input may have made. */
static u32 entered[STEPS];
static unsigned int nentered;

static void entries_clear(void)
{
	struct file file = { };

	fuzz_task.cred = &root;
	while (nentered) {
		user_sap = (struct strapush){
			.sap_cmd = SAP_CLEAR,
			.sap_major = MAJOR,
			.sap_minor = entered[--nentered],
		};
		fops->unlocked_ioctl(&file, SAD_SAP, (unsigned long)&user_sap);
	}
}

static u32 minor_of(struct input *in)
{
	unsigned int b = input_byte(in);

	return b < 0xe0 ? b & 31 : input_odd(in);
}

static void name_fill(struct input *in, char *name)
{
	unsigned int b = input_byte(in);

	memset(name, b & 0x40 ? 'x' : 0, STRNAMESZ);
	name[0] = 'a' + (b & 7);
	if (b & 0x20)
		name[STRNAMESZ - 1] = 0;
	if (!(b & 0x10))
		name[1] = 0;
}

static void sap_fill(struct input *in)
{
	unsigned int i, b = input_byte(in);

	user_sap = (struct strapush){
		.sap_cmd = b & 3,
		.sap_major = MAJOR,
		.sap_minor = minor_of(in),
		.sap_lastminor = minor_of(in),
		.sap_npush = 1 + (b >> 2 & 7),
	};
	if (b >= 0xf0)
		user_sap.sap_major = input_odd(in);
	if ((b & 0x70) == 0x60)
		user_sap.sap_npush = input_odd(in);
	if ((b & 0x70) == 0x50)
		user_sap.sap_cmd = input_odd(in);
	for (i = 0; i < MAXAPUSH; i++)
		name_fill(in, user_sap.sap_list[i]);
}

static void list_fill(struct input *in)
{
	unsigned int i;

	user_list.sl_nmods = (int)input_odd(in);
	user_list.sl_modlist = user_names + input_below(in, 4);
	for (i = 0; i < NSTRPUSH + 1; i++)
		name_fill(in, user_names[i].l_name);
}

static void step(struct input *in)
{
	static struct stream sd;
	unsigned int b = input_byte(in);
	unsigned long arg = (unsigned long)&user_sap;
	unsigned int cmd = SAD_SAP;
	struct file file = { };
	u32 minor;

	++*fuzz_calls;
	switch (b & 7) {
	case 0:
		minor = minor_of(in);
		pushed = 0;
		sad_push(&sd, minor, 0);
		if (pushed > MAXAPUSH)
			fuzz_die("more modules pushed than can be configured");
		return;
	case 1:
		sad_forget(minor_of(in));
		return;
	case 2:
		stub_fail_at = 1 + (b >> 3 & 3);
		return;
	case 3:
		list_fill(in);
		cmd = SAD_VML;
		arg = (unsigned long)&user_list;
		break;
	case 4:
		cmd = SAD_GAP;
		sap_fill(in);
		break;
	case 5:
		cmd = input_odd(in);
		break;
	default:
		sap_fill(in);
	}
	if ((b & 0xf0) == 0xf0)
		arg = input_odd(in);
	else if (cmd == SAD_SAP)
		entered[nentered++] = user_sap.sap_cmd == SAP_ALL ? 0 :
				      user_sap.sap_minor;
	fops->unlocked_ioctl(&file, cmd, arg);
}

void fuzz_one(struct input *in)
{
	unsigned int n = STEPS;
	int before = stub_alive;

	input = in;
	fuzz_task.cred = input_byte(in) & 15 ? &root : &other;
	stub_fail_at = 0;
	sad_init();
	while (in->left && n--)
		step(in);
	stub_fail_at = 0;
	/* All memory is there. */
	in->left = 0;
	entries_clear();
	if (stub_alive != before)
		fuzz_die("an entry was not freed");
}

int fuzz_start(void)
{
	return 0;
}
