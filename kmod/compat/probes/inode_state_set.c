// SPDX-License-Identifier: GPL-2.0-only
/* 6.19: accessors of an inode's state */
#include <linux/fs.h>

void probe(struct inode *inode);
void probe(struct inode *inode)
{
	inode_state_set_raw(inode, I_DIRTY);
}
