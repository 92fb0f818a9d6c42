/* SPDX-License-Identifier: GPL-2.0-only */
/* Options of transport providers: what T_OPTMGMT_REQ asks of them all */
#ifndef _TPI_OPT_H
#define _TPI_OPT_H

#include <sys/stream.h>
#include <sys/tpi.h>
#include <sys/xti_inet.h>

/* Bytes of the longest value. */
#define TPI_OPT_MAX	40

#define TPI_OPT_READONLY	0x1
#define TPI_OPT_BOOL		0x2	/* T_YES or T_NO */
#define TPI_OPT_BYTES		0x4	/* up to TPI_OPT_MAX bytes, no number */
#define TPI_OPT_LINGER		0x8	/* a struct tpi_linger, no number */

/* XTI's struct t_linger. */
struct tpi_linger {
	t_scalar_t onoff;		/* T_YES, T_NO */
	t_scalar_t seconds;
};

union tpi_opt_value {
	u32 number;
	struct tpi_linger linger;
	u8 bytes[TPI_OPT_MAX];
};

/* An option that a provider has. */
struct tpi_opt {
	u32 level;
	u32 name;
	u8 size;		/* of its value in answers, bytes */
	u8 flags;		/* TPI_OPT_READONLY ... */
	u32 min;		/* of a number */
	u32 max;
	/* What follows is the provider's own. */
	int so_level;		/* for setsockopt() */
	int so_name;
	unsigned int bit;
};

/* What all options of a level are found by, and what reads and sets one. */
struct tpi_opts {
	const struct tpi_opt *opt;
	unsigned int count;
	/* Both return the value's length. */
	size_t (*current_value)(void *end, const struct tpi_opt *o,
				union tpi_opt_value *v);
	size_t (*default_value)(void *end, const struct tpi_opt *o,
				union tpi_opt_value *v);
	/*
	 * Sets a checked value: 0 or a negative error, of which -EACCES and
	 * -EPERM say that the option is read-only for this user.
	 */
	int (*set)(void *end, const struct tpi_opt *o,
		   const union tpi_opt_value *v, size_t len);
};

/* The next option of a list: 1, 0 at its end, -EINVAL when it is none. */
int tpi_opt_next(const void **at, size_t *len, struct T_opthdr *oh,
		 const void **value);
/* A number, as long as the program has it. */
int tpi_opt_value(const void *at, size_t len, u32 *value);
/* IPv4's, of a datagram: IP_TTL, IP_TOS with a value; 0: a flag; or an error. */
int tpi_opt_in(const struct T_opthdr *oh, const void *at, u32 *value,
	       unsigned int *flags);

/* The answer to a T_OPTMGMT_REQ, which is consumed. */
mblk_t *tpi_optmgmt(const struct tpi_opts *opts, void *end, mblk_t *mp,
		    gfp_t gfp);

#endif /* _TPI_OPT_H */
