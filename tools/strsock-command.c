// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * strsock-command.c - finds a command and any obstacle to preloading into it
 *
 * The dynamic linker does not report that it is missing or may not preload, so
 * the launcher looks before it starts anything.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "strsock-command.h"

/* The number of scripts that may interpret one another: the kernel's own limit. */
#define MAX_SCRIPTS	5

/* The directories in which execvp() looks when there is no PATH. */
#define DEFAULT_PATH	"/bin:/usr/bin"

/* The bytes of a file that the kernel looks at to see what it is. */
struct head {
	size_t len;
	char bytes[256] __attribute__((aligned(__alignof__(Elf64_Ehdr))));
};

static int try_path(const char *dir, size_t len, const char *name,
		    char *path, size_t size)
{
	struct stat st;
	int n;

	n = snprintf(path, size, "%.*s%s%s", (int)len, dir, len ? "/" : "", name);
	if (n < 0 || (size_t)n >= size)
		return ENAMETOOLONG;
	if (stat(path, &st))
		return errno;
	if (!S_ISREG(st.st_mode) || access(path, X_OK))
		return EACCES;
	return 0;
}

/**
 * command_find - find the file that execvp() would run
 * @name: a command; without a slash it is looked for in PATH
 * @path: receives the file's path
 * @size: of @path
 *
 * Return: 0, or an error number: ENOENT if there is none, EACCES if there is
 * one but it can not be executed.
 */
int command_find(const char *name, char *path, size_t size)
{
	const char *dir = getenv("PATH");
	int err = ENOENT;

	if (!*name)
		return ENOENT;
	if (strchr(name, '/'))
		return try_path("", 0, name, path, size);
	if (!dir)
		dir = DEFAULT_PATH;
	for (;;) {
		size_t len = strcspn(dir, ":");
		int this = try_path(dir, len, name, path, size);

		if (!this)
			return 0;
		if (this == EACCES)
			err = EACCES;
		if (!dir[len])
			return err;
		dir += len + 1;
	}
}

static int read_head(const char *path, struct head *head)
{
	ssize_t n;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -1;
	n = pread(fd, head->bytes, sizeof(head->bytes), 0);
	head->len = n < 0 ? 0 : n;
	return fd;
}

/*
 * Returns whether the loader enters secure mode, in which it ignores
 * LD_PRELOAD.
 */
static bool is_privileged(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return false;
	if ((st.st_mode & S_ISUID) && st.st_uid != geteuid())
		return true;
	if ((st.st_mode & S_ISGID) && (st.st_mode & 0010) && st.st_gid != getegid())
		return true;
	return geteuid() && getxattr(path, "security.capability", NULL, 0) > 0;
}

static bool is_elf(const struct head *head)
{
	return head->len >= sizeof(Elf64_Ehdr) &&
	       !memcmp(head->bytes, ELFMAG, SELFMAG);
}

/*
 * Returns whether a library has the class, byte order and machine of a program.
 */
static bool is_alike(const struct head *head, const char *library)
{
	struct head lib;
	/* The field e_machine has the same offset in both ELF classes. */
	const Elf32_Ehdr *theirs = (const void *)head->bytes;
	const Elf32_Ehdr *its = (const void *)lib.bytes;
	int fd;

	fd = read_head(library, &lib);
	if (fd < 0)
		return false;
	close(fd);
	return theirs->e_ident[EI_CLASS] == its->e_ident[EI_CLASS] &&
	       theirs->e_ident[EI_DATA] == its->e_ident[EI_DATA] &&
	       theirs->e_machine == its->e_machine;
}

/**
 * command_is_library - could a file be preloaded into any command?
 * @path: the file
 */
bool command_is_library(const char *path)
{
	struct head head;
	const Elf32_Ehdr *h = (const void *)head.bytes;
	int fd;

	fd = read_head(path, &head);
	if (fd < 0)
		return false;
	close(fd);
	/*
	 * The field e_type has the same offset in both ELF classes; both byte
	 * orders are accepted.
	 */
	return is_elf(&head) && (h->e_type == ET_DYN || h->e_type == ET_DYN << 8);
}

static bool has_interpreter(int fd, off_t table, unsigned int count, size_t size)
{
	unsigned int i;
	/* The first field of both Elf32_Phdr and Elf64_Phdr */
	Elf32_Word type;

	for (i = 0; i < count; i++) {
		if (pread(fd, &type, sizeof(type), table + i * size) != sizeof(type))
			return false;
		if (type == PT_INTERP)
			return true;
	}
	return false;
}

static bool is_dynamic(int fd, const struct head *head)
{
	const Elf64_Ehdr *h = (const void *)head->bytes;
	const Elf32_Ehdr *h32 = (const void *)head->bytes;

	if (head->bytes[EI_CLASS] == ELFCLASS64)
		return has_interpreter(fd, h->e_phoff, h->e_phnum, h->e_phentsize);
	return has_interpreter(fd, h32->e_phoff, h32->e_phnum, h32->e_phentsize);
}

/* The interpreter of a script, if it is one. */
static bool interpreter(const struct head *head, char *path, size_t size)
{
	const char *p = head->bytes + 2, *end = head->bytes + head->len, *start;

	if (head->len < 2 || memcmp(head->bytes, "#!", 2))
		return false;
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	start = p;
	while (p < end && !strchr(" \t\n", *p))
		p++;
	if (p == start || p == end || (size_t)(p - start) >= size)
		return false;
	memcpy(path, start, p - start);
	path[p - start] = '\0';
	return true;
}

/**
 * command_obstacle - find out whether a library can be preloaded into a command
 * @path: the command's file
 * @library: the library's, as command_is_library() has it
 * @culprit: receives the file concerned: @path, or the interpreter of a script
 * @size: of @culprit
 *
 * Return: NULL if it can, or nothing is known against it; else the reason, to
 * come after the name of @culprit.
 */
const char *command_obstacle(const char *path, const char *library,
			     char *culprit, size_t size)
{
	struct head head;
	const char *reason = NULL;
	int fd, depth;

	snprintf(culprit, size, "%s", path);
	for (depth = 0; depth < MAX_SCRIPTS; depth++) {
		fd = read_head(culprit, &head);
		if (fd < 0)	/* not readable; it may still run */
			return is_privileged(culprit) ? "is setuid or setgid" : NULL;
		if (!interpreter(&head, culprit, size))
			break;
		/* Set-id bits of scripts are ignored by the kernel. */
		close(fd);
	}
	if (depth == MAX_SCRIPTS)
		return NULL;

	if (is_elf(&head)) {
		if (is_privileged(culprit))
			reason = "is setuid, setgid or has file capabilities";
		else if (!is_alike(&head, library))
			reason = "is a program for another architecture than the library's";
		else if (!is_dynamic(fd, &head))
			reason = "is statically linked";
	}
	close(fd);
	return reason;
}
