// SPDX-License-Identifier: GPL-2.0-only
/* 6.3: owners are asked for by the mount's idmap, not its user namespace */
#include <linux/fs.h>
#include <linux/mount.h>

bool probe(const struct path *path, const struct inode *inode);
bool probe(const struct path *path, const struct inode *inode)
{
	return inode_owner_or_capable(mnt_idmap(path->mnt), inode);
}
