// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * pushlist.c - modules to push, as text
 *
 * The functions are safe in signal handlers and vfork children.
 */
#include <sys/strio.h>

#include "pushlist.h"

/* Returns the bytes of a list before one of two characters, or its end. */
static size_t part_len(const char *text, size_t len, char end, char other)
{
	size_t n = 0;

	while (n < len && text[n] && text[n] != end && text[n] != other)
		n++;
	return n;
}

/* Checks an entry of a list: a name, and settings. */
static const char *entry_fault(const char *text, size_t len)
{
	size_t n = part_len(text, len, ':', ':');

	if (!n)
		return "module without a name (wanted: NAME,NAME:SETTING=VALUE)";
	if (n >= STRNAMESZ)
		return "name of a module longer than 31 bytes";
	if (len > STRIO_PARAM_MOST)
		return "module with settings longer than 255 bytes";
	while (n < len) {
		size_t begin = n + 1;
		size_t name = part_len(text + begin, len - begin, '=', ':');

		if (!name || text[begin + name] != '=')
			return "setting that is not NAME=VALUE";
		n = begin + part_len(text + begin, len - begin, ':', ':');
	}
	return NULL;
}

/**
 * pushlist_fault - check a list
 * @text: the list
 * @len: its bytes
 * @most: the modules that it may have: PUSHLIST_MOST; or more, and another check finds them
 *
 * Whether there are such modules, and such settings, is the kernel's to say.
 *
 * Return: the fault, or NULL.
 */
const char *pushlist_fault(const char *text, size_t len, unsigned int most)
{
	unsigned int modules = 0;
	const char *fault;
	size_t n, i = 0;

	if (len >= PUSHLIST_SIZE)
		return "list of modules longer than 511 bytes";
	do {
		n = part_len(text + i, len - i, ',', ',');
		fault = entry_fault(text + i, n);
		if (fault)
			return fault;
		if (++modules > most)
			return "more than 8 modules";
		i += n + 1;
	} while (i <= len);
	return NULL;
}

/**
 * pushlist_next - take the next module of a list
 * @list: the list, which pushlist_fault() has nothing against; moved to what is left of it
 * @entry: receives the module
 *
 * Return: whether there was one.
 */
bool pushlist_next(const char **list, struct pushlist_entry *entry)
{
	const char *p = *list;
	size_t i, len;

	if (!*p)
		return false;
	len = part_len(p, PUSHLIST_SIZE, ':', ',');
	for (i = 0; i < len && i < sizeof(entry->name) - 1; i++)
		entry->name[i] = p[i];
	entry->name[i] = '\0';
	entry->set = p[len] == ':';
	entry->text = p;
	entry->len = part_len(p, PUSHLIST_SIZE, ',', ',');
	*list = p[entry->len] ? p + entry->len + 1 : p + entry->len;
	return true;
}
