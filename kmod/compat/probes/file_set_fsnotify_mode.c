// SPDX-License-Identifier: GPL-2.0-only
/* 6.14: a pseudo file sends no events unless its maker says so */
#include <linux/fs.h>

void probe(struct file *file);
void probe(struct file *file)
{
	file_set_fsnotify_mode(file, FMODE_NONOTIFY_PERM);
}
