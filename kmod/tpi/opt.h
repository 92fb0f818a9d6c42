/* SPDX-License-Identifier: GPL-2.0-only */
/* Options of transport providers: T_OPTMGMT_REQ in all of them */
#ifndef _TPI_OPT_H
#define _TPI_OPT_H

#include <sys/stream.h>
#include <sys/tpi.h>
#include <sys/xti_inet.h>

/* XTI's value for a choice by the provider */
#define T_UNSPEC	(~0 - 2)

/* The bytes of the longest value */
#define TPI_OPT_MAX	40

#define TPI_OPT_READONLY	0x1
#define TPI_OPT_BOOL		0x2	/* T_YES or T_NO */
#define TPI_OPT_BYTES		0x4	/* up to TPI_OPT_MAX bytes, no number */
#define TPI_OPT_LINGER		0x8	/* a struct tpi_linger, no number */

/* XTI's struct t_linger. */
struct tpi_linger {
	t_scalar_t onoff;		/* T_YES, T_NO */
	t_scalar_t seconds;		/* ... or T_INFINITE */
};

union strtpi_opt_value {
	u32 number;
	struct tpi_linger linger;
	u8 bytes[TPI_OPT_MAX];
};

/* An option that a provider has */
struct tpi_opt {
	u32 level;
	u32 name;
	u8 size;		/* of its value in answers, bytes */
	u8 flags;		/* TPI_OPT_READONLY ... */
	u32 min;		/* of a number */
	u32 max;
	/* The fields below are the provider's own. */
	int so_level;		/* for setsockopt() */
	int so_name;
	unsigned int bit;
};

#define TPI_NUMBER(lvl, nm, sol, so, least, most)			\
	{ .level = (lvl), .name = (nm), .size = sizeof(u32),		\
	  .so_level = (sol), .so_name = (so), .min = (least), .max = (most) }
#define TPI_BOOLEAN(lvl, nm, sol, so)					\
	{ .level = (lvl), .name = (nm), .size = sizeof(u32),		\
	  .flags = TPI_OPT_BOOL, .so_level = (sol), .so_name = (so), .max = 1 }
#define TPI_FIXED(lvl, nm, sol, so)					\
	{ .level = (lvl), .name = (nm), .size = sizeof(u32),		\
	  .flags = TPI_OPT_READONLY, .so_level = (sol), .so_name = (so) }
#define TPI_LINGER(sol, so)						\
	{ .level = XTI_GENERIC, .name = XTI_LINGER,			\
	  .size = sizeof(struct tpi_linger), .flags = TPI_OPT_LINGER,	\
	  .so_level = (sol), .so_name = (so) }

/*
 * An option that cannot be set once a socket is bound, not even to its own
 * value
 */
static inline bool tpi_opt_is_v6only(const struct tpi_opt *o)
{
	return o->level == T_INET_IPV6 && o->name == T_IPV6_V6ONLY;
}

/* The functions that find all options of a level, and read and set one */
struct tpi_opts {
	const struct tpi_opt *opt;
	unsigned int count;
	/* Both functions return the length of the value. */
	size_t (*current_value)(void *end, const struct tpi_opt *o,
				union strtpi_opt_value *v);
	size_t (*default_value)(void *end, const struct tpi_opt *o,
				union strtpi_opt_value *v);
	/*
	 * Sets a checked value. Returns 0 or a negative error; -EACCES and
	 * -EPERM mean that the option is read-only for this user.
	 */
	int (*set)(void *end, const struct tpi_opt *o,
		   const union strtpi_opt_value *v, size_t len);
};

/*
 * Declares the options of an array, with functions whose names begin with
 * prefix.
 */
#define TPI_OPTS(array, prefix)						\
	{ .opt = (array), .count = ARRAY_SIZE(array),			\
	  .current_value = prefix##_current, .default_value = prefix##_default, \
	  .set = prefix##_set }

/*
 * Finds the next option of a list. Returns 1; 0: the list has ended; -EINVAL:
 * it is invalid.
 */
int strtpi_opt_next(const void **at, size_t *len, struct T_opthdr *oh,
		    const void **value);
/* Writes an option. Returns the place for the next one. */
void *strtpi_opt_put(void *at, u32 level, u32 name, t_scalar_t status, const void *value,
		     size_t len);
/* Reads a number, of the length that the program uses. */
int strtpi_opt_value(const void *at, size_t len, u32 *value);

/* Returns the answer to a T_OPTMGMT_REQ, which is consumed. */
mblk_t *strtpi_optmgmt(const struct tpi_opts *opts, void *end, mblk_t *mp,
		       gfp_t gfp);

#endif /* _TPI_OPT_H */
