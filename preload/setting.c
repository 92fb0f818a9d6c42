// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * setting.c - a library's settings from the environment and its file
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "setting.h"

/**
 * setting_said - a variable that is 0 or 1, or says nothing
 * @variable: its name
 *
 * Return: its value; -1 when it is unset, empty or neither. A value that is
 * neither is reported. A privileged program ignores the variable.
 */
int setting_said(const char *variable)
{
	const char *value = secure_getenv(variable);
	struct log_line line;

	if (!value || !*value)
		return -1;
	if (!strcmp(value, "0"))
		return 0;
	if (!strcmp(value, "1"))
		return 1;
	log_begin(&line);
	log_text(&line, variable);
	log_text(&line, "=");
	log_text(&line, value);
	log_text(&line, " ignored: must be 0 or 1");
	log_end(&line);
	return -1;
}

/**
 * setting_flag - a variable that is 0 or 1
 * @variable: its name
 * @unset: the value when the variable says nothing
 *
 * Return: its value, as setting_said() has it.
 */
bool setting_flag(const char *variable, bool unset)
{
	int said = setting_said(variable);

	return said < 0 ? unset : said;
}

/**
 * setting_file - the configuration file to read
 * @variable: the variable that may name one
 * @installed: the file otherwise, and in a privileged program
 *
 * Return: its path.
 */
const char *setting_file(const char *variable, const char *installed)
{
	const char *given = secure_getenv(variable);

	return given && *given ? given : installed;
}

/**
 * setting_bad_line - report a bad line in a configuration file
 * @file: its path
 * @number: of the line
 * @reason: the fault in it
 * @word: the offending word, or NULL
 * @len: its length
 *
 * For conf_read().
 */
void setting_bad_line(void *file, unsigned int number, const char *reason,
		      const char *word, size_t len)
{
	struct log_line line;

	log_begin(&line);
	log_text(&line, file);
	log_text(&line, ":");
	log_number(&line, number);
	log_text(&line, ": ");
	log_text(&line, reason);
	if (word) {
		log_text(&line, " '");
		log_bytes(&line, word, len);
		log_text(&line, "'");
	}
	log_text(&line, "; line skipped");
	log_end(&line);
}

/**
 * setting_read - report a configuration file that could not be read
 * @file: its path, from setting_file()
 * @installed: the one that need not be there
 * @result: of conf_read()
 * @consequence: the effect without it
 */
void setting_read(const char *file, const char *installed, int result,
		  const char *consequence)
{
	struct log_line line;

	if (result >= 0 || (result == -ENOENT && file == installed))
		return;
	log_begin(&line);
	log_text(&line, file);
	log_text(&line, ": cannot be read (");
	log_error(&line, -result);
	log_text(&line, "), ");
	log_text(&line, consequence);
	log_end(&line);
}
