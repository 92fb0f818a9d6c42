// SPDX-License-Identifier: GPL-2.0-only
/* Must compile with any kernel; else the headers or the compiler are unfit. */
#include <linux/module.h>

MODULE_LICENSE("GPL");
