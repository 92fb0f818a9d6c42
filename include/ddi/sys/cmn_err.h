/* SPDX-License-Identifier: GPL-2.0-only */
/* ddi/sys/cmn_err.h - messages to the kernel's log */
#ifndef _DDI_SYS_CMN_ERR_H
#define _DDI_SYS_CMN_ERR_H

#include <linux/kernel.h>
#include <linux/panic.h>
#include <linux/printk.h>
#include <linux/stdarg.h>

#define CE_CONT		0	/* as it is */
#define CE_NOTE		1	/* a line after NOTICE: */
#define CE_WARN		2	/* a line after WARNING: */
#define CE_PANIC	3	/* the same, and the system stops */
#define CE_IGNORE	4	/* nothing */

/* On SVR4 a first !, ^ or ? chooses log or console; here dmesg(1) decides that. */
static inline void vcmn_err(int level, const char *fmt, va_list args)
{
	struct va_format text;
	va_list copy;

	if (*fmt == '!' || *fmt == '^' || *fmt == '?')
		fmt++;
	text.fmt = fmt;
	va_copy(copy, args);
	text.va = &copy;
	switch (level) {
	case CE_CONT:
		pr_info("%pV", &text);
		break;
	case CE_NOTE:
		pr_notice("NOTICE: %pV\n", &text);
		break;
	case CE_WARN:
		pr_warn("WARNING: %pV\n", &text);
		break;
	case CE_PANIC:
		panic("%pV\n", &text);
	}
	va_end(copy);
}

__printf(2, 3)
static inline void cmn_err(int level, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vcmn_err(level, fmt, args);
	va_end(args);
}

#endif /* _DDI_SYS_CMN_ERR_H */
