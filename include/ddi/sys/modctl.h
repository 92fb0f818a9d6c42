/* SPDX-License-Identifier: GPL-2.0-only */
/* ddi/sys/modctl.h - _init() and _fini(): a module that is loaded */
#ifndef _DDI_SYS_MODCTL_H
#define _DDI_SYS_MODCTL_H

#include <linux/delay.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/stringify.h>
#include <sys/conf.h>
#include <sys/ddi_timeout.h>

/*
 * The file that includes this header has _init() and _fini(), which load and unload the
 * module. Its makefile says two things that the source does not:
 *
 *	-DDDI_LICENSE='"GPL v2"'	as MODULE_LICENSE() takes it
 *	-DDDI_NAME=upper		the name by which I_PUSH loads it; may be left out
 */
#ifndef DDI_LICENSE
#error "the makefile must name the licence: -DDDI_LICENSE='\"GPL v2\"'"
#endif

struct mod_ops {
	int kind;
};

struct modlstrmod {
	struct mod_ops *strmod_modops;
	char *strmod_linkinfo;		/* a description, in words */
	struct fmodsw *strmod_fmodsw;
};

#define MODREV_1	1
#define DDI_LINKAGES	4

struct modlinkage {
	int ml_rev;
	void *ml_linkage[DDI_LINKAGES + 1];
};

struct modinfo {
	char *mi_text;
};

static struct mod_ops mod_strmodops = { 1 };
static struct strmod ddi_strmods[DDI_LINKAGES];

static inline void ddi_unregister(int n)
{
	while (n--)
		strmod_unregister(&ddi_strmods[n]);
}

static inline int mod_install(struct modlinkage *ml)
{
	int n, err;

	for (n = 0; n < DDI_LINKAGES && ml->ml_linkage[n]; n++) {
		struct modlstrmod *mod = ml->ml_linkage[n];

		if (mod->strmod_modops != &mod_strmodops) {
			err = -EINVAL;
			goto err_unregister;
		}
		ddi_strmods[n].name = mod->strmod_fmodsw->f_name;
		ddi_strmods[n].tab = mod->strmod_fmodsw->f_str;
		ddi_strmods[n].flags = mod->strmod_fmodsw->f_flag;
		ddi_strmods[n].owner = THIS_MODULE;
		err = strmod_register(&ddi_strmods[n]);
		if (err)
			goto err_unregister;
	}
	return 0;

err_unregister:
	ddi_unregister(n);
	return -err;
}

/* Linux unloads a module only when no stream has it. */
static inline int mod_remove(struct modlinkage *ml)
{
	int n = 0;

	while (n < DDI_LINKAGES && ml->ml_linkage[n])
		n++;
	ddi_unregister(n);
	while (ddi_timeouts_pending())
		msleep(20);
	/* The last timer's function returns to Linux. */
	synchronize_rcu();
	return 0;
}

static inline int mod_info(struct modlinkage *ml, struct modinfo *info)
{
	struct modlstrmod *mod = ml->ml_linkage[0];

	info->mi_text = mod ? mod->strmod_linkinfo : NULL;
	return !!mod;
}

int _init(void);
int _fini(void);
int _info(struct modinfo *info);

static int __init ddi_init(void)
{
	return -_init();
}

static void __exit ddi_exit(void)
{
	_fini();
}

module_init(ddi_init);
module_exit(ddi_exit);
MODULE_LICENSE(DDI_LICENSE);
MODULE_DESCRIPTION("STREAMS module of System V");
#ifdef DDI_NAME
MODULE_ALIAS("strmod-" __stringify(DDI_NAME));
#endif

#endif /* _DDI_SYS_MODCTL_H */
