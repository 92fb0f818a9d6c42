// SPDX-License-Identifier: GPL-2.0-only
/* Files that are streams */
#include <linux/export.h>
#include <linux/mount.h>
#include <linux/seq_file.h>
#include <linux/spinlock.h>

#include "files.h"
#include "stream.h"

/*
 * The kinds of files that are streams. Their private_data is the stream head,
 * or something that begins with it.
 */
static const struct file_operations *file_kinds[8];
static DEFINE_SPINLOCK(file_kinds_lock);

const struct file_operations *str_device_fops __ro_after_init;

static int file_kind_change(const struct file_operations *from,
			    const struct file_operations *to)
{
	int i, err = -ENOSPC;

	spin_lock(&file_kinds_lock);
	for (i = 0; i < ARRAY_SIZE(file_kinds) && err; i++) {
		if (file_kinds[i] != from)
			continue;
		WRITE_ONCE(file_kinds[i], to);
		err = 0;
	}
	spin_unlock(&file_kinds_lock);
	return err;
}

/**
 * str_files_add() - register a kind of files that are streams
 * @fops: their operations; their private_data begins with the struct stream
 *
 * Return: 0, or -ENOSPC when there are too many kinds.
 */
int str_files_add(const struct file_operations *fops)
{
	return file_kind_change(NULL, fops);
}
EXPORT_SYMBOL_GPL(str_files_add);

/**
 * str_files_del() - undo str_files_add(), when no such file is left
 * @fops: their operations
 */
void str_files_del(const struct file_operations *fops)
{
	file_kind_change(fops, NULL);
}
EXPORT_SYMBOL_GPL(str_files_del);

/**
 * str_of_file() - find the stream behind a file
 * @file: any file
 *
 * Return: its stream head, valid as long as the file is, or NULL when the
 * file is not a stream.
 */
struct stream *str_of_file(const struct file *file)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(file_kinds); i++) {
		if (file->f_op && file->f_op == READ_ONCE(file_kinds[i]))
			return file->private_data;
	}
	return NULL;
}
EXPORT_SYMBOL_GPL(str_of_file);

/* Shows which stream a file is, as its show_fdinfo operation. */
void str_file_fdinfo(struct seq_file *m, struct file *file)
{
	const struct stream *sd = str_of_file(file);

	if (sd)
		str_entry_fdinfo(m, &sd->sd_entry);
}
EXPORT_SYMBOL_GPL(str_file_fdinfo);

/*
 * Returns whether a file may change the stream for its other users. A file that
 * was opened by the name of an attached stream may do so if it was opened for
 * reading and writing: the permissions of the name may allow one user only to
 * write, and another to read the data of all writers. Any file of a device may,
 * as devices are opened for reading to send ioctls to them; so may any file of
 * a pipe without a name, which belongs to the holders of both its ends.
 */
bool str_file_changes(const struct file *file)
{
	const fmode_t both = FMODE_READ | FMODE_WRITE;

	return (file->f_mode & both) == both || file->f_op == str_device_fops ||
	       file->f_path.mnt->mnt_flags & MNT_INTERNAL;
}
