// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * pushlist.c - modules to push, as text
 *
 * The functions are safe in signal handlers and vfork children.
 */
#include "pushlist.h"

/* The bytes of a name before the comma or the end. */
static size_t name_len(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && text[n] && text[n] != ',')
		n++;
	return n;
}

/**
 * pushlist_fault - check a list
 * @text: the list
 * @len: its bytes
 *
 * Whether there are such modules is the kernel's to say.
 *
 * Return: the fault, or NULL.
 */
const char *pushlist_fault(const char *text, size_t len)
{
	unsigned int modules = 0;
	size_t n, i = 0;

	if (len >= PUSHLIST_SIZE)
		return "list of modules longer than 511 bytes";
	do {
		n = name_len(text + i, len - i);
		if (!n)
			return "module without a name (wanted: NAME,NAME)";
		if (n >= STRNAMESZ)
			return "name of a module longer than 31 bytes";
		if (++modules > PUSHLIST_MOST)
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
	size_t i = 0;

	if (!*p)
		return false;
	for (; *p && *p != ','; p++) {
		if (i < sizeof(entry->name) - 1)
			entry->name[i++] = *p;
	}
	entry->name[i] = '\0';
	*list = *p ? p + 1 : p;
	return true;
}
