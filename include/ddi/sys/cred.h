/* SPDX-License-Identifier: GPL-2.0-only */
/* ddi/sys/cred.h - the credentials that a procedure is given */
#ifndef _DDI_SYS_CRED_H
#define _DDI_SYS_CRED_H

#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/errno.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>
#include <sys/stream.h>

static inline uid_t crgetuid(cred_t *cr)
{
	return from_kuid_munged(&init_user_ns, cr->euid);
}

static inline uid_t crgetruid(cred_t *cr)
{
	return from_kuid_munged(&init_user_ns, cr->uid);
}

static inline gid_t crgetgid(cred_t *cr)
{
	return from_kgid_munged(&init_user_ns, cr->egid);
}

/* Returns 0 if the task may administer the system, else EPERM. */
static inline int drv_priv(cred_t *cr)
{
	return cr->user_ns == &init_user_ns && cap_raised(cr->cap_effective, CAP_SYS_ADMIN) ?
	       0 : EPERM;
}

#endif /* _DDI_SYS_CRED_H */
