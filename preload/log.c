// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * log.c - lines on standard error, from any context
 *
 * A line is put together on the stack and leaves in one write(2), so that lines
 * of different processes do not mix. Nothing here allocates, locks or changes
 * errno.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "log.h"
#include "sys.h"

/* The names of the errors that a hook may meet */
static const struct {
	int error;
	const char *name;
} errors[] = {
	{ EACCES, "EACCES" },
	{ EAFNOSUPPORT, "EAFNOSUPPORT" },
	{ EBUSY, "EBUSY" },
	{ EFAULT, "EFAULT" },
	{ EFBIG, "EFBIG" },
	{ EINVAL, "EINVAL" },
	{ EISDIR, "EISDIR" },
	{ EMFILE, "EMFILE" },
	{ ENFILE, "ENFILE" },
	{ ENOBUFS, "ENOBUFS" },
	{ ENODEV, "ENODEV" },
	{ ENOENT, "ENOENT" },
	{ ENOMEM, "ENOMEM" },
	{ ENOSYS, "ENOSYS" },
	{ ENOTTY, "ENOTTY" },
	{ ENXIO, "ENXIO" },
	{ EPERM, "EPERM" },
	{ EPROTONOSUPPORT, "EPROTONOSUPPORT" },
	{ ERANGE, "ERANGE" },
	{ ESOCKTNOSUPPORT, "ESOCKTNOSUPPORT" },
};

static bool is_open;

/* The name of the program, with which each line begins */
static char name[32];

/**
 * log_open - allow lines to be written
 *
 * To be called when the program starts. If it starts without a standard error,
 * descriptor 2 will one day be something else, and no line must get there.
 */
void log_open(void)
{
	memcpy(name, program_invocation_short_name,
	       strnlen(program_invocation_short_name, sizeof(name) - 1));
	is_open = sys_call(SYS_fcntl, STDERR_FILENO, F_GETFD, 0, 0) >= 0;
}

/**
 * log_begin - begin a line with "strsock: PID NAME: "
 * @line: the line
 */
void log_begin(struct log_line *line)
{
	line->len = 0;
	log_text(line, "strsock: ");
	log_number(line, sys_call(SYS_getpid, 0, 0, 0, 0));
	log_text(line, " ");
	log_text(line, name);
	log_text(line, ": ");
}

/**
 * log_bytes - add bytes; a line that gets too long is cut
 * @line: the line
 * @s: the bytes, where control characters become '?'
 * @len: how many
 */
void log_bytes(struct log_line *line, const char *s, size_t len)
{
	/* One byte of the line stays free for the newline. */
	while (len-- && line->len < sizeof(line->text) - 1) {
		unsigned char c = *s++;

		line->text[line->len++] = c < ' ' || c == 0x7f ? '?' : c;
	}
}

/**
 * log_text - add a string
 * @line: the line
 * @s: the string
 */
void log_text(struct log_line *line, const char *s)
{
	log_bytes(line, s, strlen(s));
}

/**
 * log_number - add a decimal number
 * @line: the line
 * @value: the number
 */
void log_number(struct log_line *line, long value)
{
	unsigned long rest = value < 0 ? -(unsigned long)value : (unsigned long)value;
	char digits[24];
	size_t i = sizeof(digits);

	do {
		digits[--i] = '0' + rest % 10;
		rest /= 10;
	} while (rest);
	if (value < 0)
		digits[--i] = '-';
	log_bytes(line, digits + i, sizeof(digits) - i);
}

/**
 * log_error - add the name of an error
 * @line: the line
 * @error: the error number, positive
 */
void log_error(struct log_line *line, int error)
{
	size_t i;

	for (i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		if (errors[i].error == error) {
			log_text(line, errors[i].name);
			return;
		}
	}
	log_text(line, "errno ");
	log_number(line, error);
}

/**
 * log_end - write the line out
 * @line: the line
 *
 * A failed write is ignored: a full or closed standard error must not change
 * what the program does.
 */
void log_end(struct log_line *line)
{
	if (!is_open)
		return;
	line->text[line->len++] = '\n';
	sys_call(SYS_write, STDERR_FILENO, (long)line->text, line->len, 0);
}
