// SPDX-License-Identifier: LGPL-2.1-or-later
/* strstat-proc.c - reads /proc/streams */
#include <err.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "strstat-proc.h"

#define BLANKS	" \t\n"

/* Makes room for one more element of size bytes at the end of a list of n. */
static void *grow(void *list, size_t n, size_t size)
{
	/* The list grows at powers of two only. */
	if (n & (n - 1))
		return list;
	list = reallocarray(list, n ? 2 * n : 1, size);
	if (!list)
		err(EXIT_FAILURE, "no memory");
	return list;
}

static char *copy(const char *s, size_t len)
{
	char *new = strndup(s, len);

	if (!new)
		err(EXIT_FAILURE, "no memory");
	return new;
}

static FILE *proc_open(const char *path)
{
	FILE *file = fopen(path, "re");

	if (file)
		return file;
	if (errno == EACCES)
		errx(EXIT_FAILURE, "only root%s can read %s",
		     geteuid() ? "" : " outside of user namespaces", path);
	if (errno == ENOENT)
		errx(EXIT_FAILURE,
		     "STREAMS is not loaded (there is no %s): as root, run 'modprobe -a strpipe strudp strsock'",
		     path);
	err(EXIT_FAILURE, "%s", path);
}

static void proc_close(FILE *file, const char *path)
{
	if (ferror(file))
		err(EXIT_FAILURE, "%s", path);
	fclose(file);
}

static void add_counter(struct counters *counters, const char *name,
			unsigned long long value)
{
	size_t kind = strcspn(name, "_");

	counters->list = grow(counters->list, counters->n, sizeof(*counters->list));
	counters->list[counters->n++] = (struct counter){
		.kind = copy(name, kind),
		.name = copy(name + kind + !!name[kind], strlen(name)),
		.value = value,
	};
}

bool proc_may_read(const char *path)
{
	return !access(path, R_OK) || errno != EACCES;
}

void proc_read_counters(struct counters *counters)
{
	FILE *file = proc_open(PROC_COUNTERS);
	unsigned long long value;
	char *line = NULL, *name;
	size_t size = 0;

	while (getline(&line, &size, file) >= 0) {
		if (sscanf(line, "%ms %llu", &name, &value) != 2)
			errx(EXIT_FAILURE, "%s: not understood: %s", PROC_COUNTERS, line);
		add_counter(counters, name, value);
		free(name);
	}
	free(line);
	proc_close(file, PROC_COUNTERS);
}

/* Returns whether no kind before has a counter of that name. */
bool counter_is_first(const struct counters *counters, size_t i)
{
	size_t j;

	for (j = 0; j < i; j++) {
		if (!strcmp(counters->list[j].name, counters->list[i].name))
			return false;
	}
	return true;
}

/* Returns the sum over all kinds. */
unsigned long long counter_total(const struct counters *counters, const char *name)
{
	unsigned long long sum = 0;
	size_t i;

	for (i = 0; i < counters->n; i++) {
		if (!strcmp(counters->list[i].name, name))
			sum += counters->list[i].value;
	}
	return sum;
}

static int digit(char c, int base)
{
	int value = c >= '0' && c <= '9' ? c - '0' :
		    c >= 'a' && c <= 'f' ? c - 'a' + 10 :
		    c >= 'A' && c <= 'F' ? c - 'A' + 10 : base;

	return value < base ? value : -1;
}

/*
 * Reads digits of a base at *s, at most max of them. Returns -1 if there is no
 * digit.
 */
static int number(const char **s, int base, int max)
{
	int value = -1;

	while (max-- && digit(**s, base) >= 0)
		value = (value < 0 ? 0 : value * base) + digit(*(*s)++, base);
	return value;
}

/* Undoes the kernel's escapes, in place: \xHH, \OOO, \n and the like. */
static void unescape(char *s)
{
	static const char from[] = "abefnrtv", to[] = "\a\b\033\f\n\r\t\v";
	const char *in = s, *letter;
	int value;

	while (*in) {
		if (*in != '\\' || !in[1]) {
			*s++ = *in++;
			continue;
		}
		in++;
		if (*in == 'x') {
			in++;
			value = number(&in, 16, 2);
		} else {
			value = number(&in, 8, 3);
		}
		letter = value < 0 ? strchr(from, *in) : NULL;
		if (value > 0)
			*s++ = value;
		else if (value < 0 && *in)
			*s++ = letter ? to[letter - from] : *in;
		in += value < 0 && *in;
	}
	*s = '\0';
}

static void add_pair(struct open_stream *stream, const char *word)
{
	size_t key = strcspn(word, "=");
	char *value = copy(word + key + !!word[key], strlen(word));

	unescape(value);
	stream->pairs = grow(stream->pairs, stream->n, sizeof(*stream->pairs));
	stream->pairs[stream->n++] = (struct pair){
		.key = copy(word, key),
		.value = value,
	};
}

/* Returns the word of a setting, or NULL: the module that has it is not loaded. */
static char *read_setting(const char *path)
{
	FILE *file = fopen(path, "re");
	char *word = NULL;

	if (!file)
		return NULL;
	if (fscanf(file, "%ms", &word) != 1)
		word = NULL;
	fclose(file);
	return word;
}

void proc_read_open(struct open_streams *streams)
{
	FILE *file = proc_open(PROC_OPEN);
	char *line = NULL, *word, *rest;
	size_t size = 0;

	while (getline(&line, &size, file) >= 0) {
		struct open_stream stream = { };

		for (word = strtok_r(line, BLANKS, &rest); word;
		     word = strtok_r(NULL, BLANKS, &rest))
			add_pair(&stream, word);
		if (!stream.n)
			continue;
		streams->list = grow(streams->list, streams->n, sizeof(*streams->list));
		streams->list[streams->n++] = stream;
	}
	free(line);
	proc_close(file, PROC_OPEN);
	streams->shortcut = read_setting(PROC_SHORTCUT);
}

/* Returns the value of a key, or NULL. */
const char *open_stream_get(const struct open_stream *stream, const char *key)
{
	size_t i;

	for (i = 0; i < stream->n; i++) {
		if (!strcmp(stream->pairs[i].key, key))
			return stream->pairs[i].value;
	}
	return NULL;
}

void open_stream_free(struct open_stream *stream)
{
	size_t i;

	for (i = 0; i < stream->n; i++) {
		free(stream->pairs[i].key);
		free(stream->pairs[i].value);
	}
	free(stream->pairs);
}

void proc_free_open(struct open_streams *streams)
{
	size_t i;

	for (i = 0; i < streams->n; i++)
		open_stream_free(&streams->list[i]);
	free(streams->list);
	free(streams->shortcut);
}

void proc_free_counters(struct counters *counters)
{
	size_t i;

	for (i = 0; i < counters->n; i++) {
		free(counters->list[i].kind);
		free(counters->list[i].name);
	}
	free(counters->list);
}
