/* SPDX-License-Identifier: GPL-2.0-only */
/* udp-options.h - each option asked for and set, and control messages to send */
#ifndef UDP_OPTIONS_H
#define UDP_OPTIONS_H

#include "udp-same.h"
#include "socket-options.h"

static inline void say_option(int fd, const struct option *o)
{
	unsigned char value[64] = {};
	socklen_t len = sizeof(value);
	unsigned int i;
	int err;

	errno = 0;
	err = getsockopt(fd, o->level, o->name, value, &len);
	printf("get %d %s: %d %s, %u bytes:", o->level, o->label, err,
	       err ? strerrorname_np(errno) : "", len);
	for (i = 0; !err && i < len; i++)
		printf(" %02x", value[i]);
	putchar('\n');
}

/*
 * Prints the option's value after each value was set, and after an invalid one.
 */
static inline void walk_option(int fd, const struct option *o,
			       const int *values, unsigned int count)
{
	unsigned int i;

	say_option(fd, o);
	for (i = 0; i < count; i++) {
		int err;

		errno = 0;
		err = set_int(fd, o->level, o->name, values[i]);
		printf("set %d %s %d: %d %s\n", o->level, o->label, values[i],
		       err, err ? strerrorname_np(errno) : "");
		say_option(fd, o);
	}
	SAY(setsockopt(fd, o->level, o->name, &i, 1));
	SAY(setsockopt(fd, o->level, o->name, (void *)16, 4));
	SAY(getsockopt(fd, o->level, o->name, &i, (void *)16));
}

/* Adds a control message behind the present ones; there must be room. */
static inline void put_control(struct msghdr *msg, int level, int type,
			       const void *value, size_t len)
{
	struct cmsghdr *c = (void *)((char *)msg->msg_control +
				     msg->msg_controllen);

	c->cmsg_level = level;
	c->cmsg_type = type;
	c->cmsg_len = CMSG_LEN(len);
	memcpy(CMSG_DATA(c), value, len);
	msg->msg_controllen += CMSG_SPACE(len);
}

#endif /* UDP_OPTIONS_H */
