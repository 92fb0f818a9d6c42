/* SPDX-License-Identifier: GPL-2.0-only */
/* Files that are streams */
#ifndef _STREAMS_FILES_H
#define _STREAMS_FILES_H

#include <linux/fs.h>

struct seq_file;
struct stream;

/* The operations of files that all nodes of drivers open. */
extern const struct file_operations *str_device_fops;

int str_files_add(const struct file_operations *fops);
void str_files_del(const struct file_operations *fops);
struct stream *str_of_file(const struct file *file);
void str_file_fdinfo(struct seq_file *m, struct file *file);
bool str_file_changes(const struct file *file);

#endif /* _STREAMS_FILES_H */
