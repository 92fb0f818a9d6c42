// SPDX-License-Identifier: GPL-2.0-only
/* 6.8: receive_fd() also stores the number at an address of the user's */
#include <linux/file.h>

int probe(struct file *file);
int probe(struct file *file)
{
	return receive_fd(file, NULL, 0);
}
