// SPDX-License-Identifier: GPL-2.0-only
/* Loading and unloading of the modules that make a stream a terminal */
#include <linux/module.h>

#include "modules.h"

static int __init strterm_init(void)
{
	int err = strmod_register(&ldterm_mod);

	if (err)
		return err;
	err = strmod_register(&ptem_mod);
	if (err)
		strmod_unregister(&ldterm_mod);
	return err;
}

static void __exit strterm_exit(void)
{
	strmod_unregister(&ptem_mod);
	strmod_unregister(&ldterm_mod);
}

module_init(strterm_init);
module_exit(strterm_exit);

MODULE_DESCRIPTION("STREAMS modules that make a stream a terminal");
MODULE_LICENSE("GPL");
MODULE_ALIAS("strmod-ldterm");
MODULE_ALIAS("strmod-ptem");
