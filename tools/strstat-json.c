// SPDX-License-Identifier: LGPL-2.1-or-later
/* strstat-json.c - the output of strstat, as JSON */
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "strstat-json.h"
#include "text.h"

/* The name of a command may be any bytes. */
static void print_string(const char *string)
{
	const unsigned char *s = (const unsigned char *)string;

	putchar('"');
	while (*s) {
		int len = text_utf8_len((const char *)s);

		if (!len)
			fputs("\\ufffd", stdout);
		else if (*s < 0x20 || *s == 0x7f)
			printf("\\u%04x", *s);
		else if (*s == '"' || *s == '\\')
			printf("\\%c", *s);
		else
			fwrite(s, len, 1, stdout);
		s += len ?: 1;
	}
	putchar('"');
}

static bool is_number(const char *s)
{
	size_t digits = strspn(s, "0123456789");

	/* A larger number is not one that every reader of JSON keeps whole. */
	return digits && !s[digits] && digits < 16 && (*s != '0' || digits == 1);
}

/* Prints "a,b" as a list; "-" is an empty one. */
static void print_list(const char *s)
{
	const char *comma = "";

	putchar('[');
	while (strcmp(s, "-") && *s) {
		size_t len = strcspn(s, ",");
		char *item = strndup(s, len);

		fputs(comma, stdout);
		print_string(item ?: "");
		free(item);
		comma = ", ";
		s += len + !!s[len];
	}
	putchar(']');
}

static void print_pair(const struct pair *pair, const char *comma)
{
	bool comm = !strcmp(pair->key, "comm");

	fputs(comma, stdout);
	print_string(comm ? "command" : pair->key);
	fputs(": ", stdout);
	if (!strcmp(pair->key, "modules") || !strcmp(pair->key, "fill"))
		print_list(pair->value);
	else if (!comm && is_number(pair->value))
		fputs(pair->value, stdout);
	else
		print_string(pair->value);
}

/* Prints an object that is left open. */
static void begin_stream(const struct open_stream *stream)
{
	const char *uid = open_stream_get(stream, "uid");
	const struct passwd *user = uid ? getpwuid(strtoul(uid, NULL, 10)) : NULL;
	size_t i;

	putchar('{');
	for (i = 0; i < stream->n; i++)
		print_pair(&stream->pairs[i], i ? ", " : "");
	if (user)
		print_pair(&(struct pair){ "user", user->pw_name }, ", ");
}

static void print_stream(const struct open_stream *stream)
{
	fputs("    ", stdout);
	begin_stream(stream);
	putchar('}');
}

static void print_open(const struct open_streams *streams)
{
	size_t i;

	fputs("  \"open\": [", stdout);
	for (i = 0; i < streams->n; i++) {
		fputs(i ? ",\n" : "\n", stdout);
		print_stream(&streams->list[i]);
	}
	fputs(streams->n ? "\n  ]" : "]", stdout);
	if (streams->shortcut) {
		fputs(",\n  \"shortcut\": ", stdout);
		print_string(streams->shortcut);
	}
}

/* Prints the counters of one kind, which follow each other in the list. */
static size_t print_kind(const struct counters *counters, size_t first)
{
	const char *kind = counters->list[first].kind;
	size_t i;

	fputs("    ", stdout);
	print_string(kind);
	fputs(": {", stdout);
	for (i = first; i < counters->n && !strcmp(counters->list[i].kind, kind); i++) {
		fputs(i > first ? ", " : "", stdout);
		print_string(counters->list[i].name);
		printf(": %llu", counters->list[i].value);
	}
	fputs("},\n", stdout);
	return i;
}

static void print_counters(const struct counters *counters)
{
	const char *comma = "";
	size_t i;

	fputs("  \"counters\": {\n", stdout);
	for (i = 0; i < counters->n;)
		i = print_kind(counters, i);
	fputs("    \"total\": {", stdout);
	for (i = 0; i < counters->n; i++) {
		const char *name = counters->list[i].name;

		if (!counter_is_first(counters, i))
			continue;
		fputs(comma, stdout);
		print_string(name);
		printf(": %llu", counter_total(counters, name));
		comma = ", ";
	}
	fputs("}\n  }", stdout);
}

void json_print(const struct counters *counters, const struct open_streams *streams)
{
	puts("{");
	if (counters)
		print_counters(counters);
	if (counters && streams)
		puts(",");
	if (streams)
		print_open(streams);
	puts("\n}");
}

/* Prints what a stream moves each second, as far as the kernel counts it. */
static void print_rates(const struct sample_stream *s)
{
	const char *comma = "";
	int rate;

	fputs(", \"fill_percent\": ", stdout);
	printf("%u, \"rates\": {", s->fill);
	for (rate = 0; rate < RATE_MAX; rate++) {
		if (s->rates[rate] < 0)
			continue;
		printf("%s\"%s\": %.1f", comma, rate_key(rate), s->rates[rate]);
		comma = ", ";
	}
	putchar('}');
}

static void print_counter_rates(const struct sample *sample)
{
	const char *kind = NULL;
	size_t i;

	fputs(", \"rates\": {", stdout);
	for (i = 0; i < sample->counters.n; i++) {
		const struct counter *c = &sample->counters.list[i];

		if (!kind || strcmp(kind, c->kind)) {
			fputs(kind ? "}, " : "", stdout);
			print_string(c->kind);
			fputs(": {", stdout);
		} else {
			fputs(", ", stdout);
		}
		kind = c->kind;
		print_string(c->name);
		printf(": %.1f", sample->counter_rates[i]);
	}
	fputs(kind ? "}}" : "}", stdout);
}

void json_print_sample(const struct sample *sample)
{
	size_t i;

	printf("{\"time\": %.3f", sample->time);
	if (sample->counters.n)
		print_counter_rates(sample);
	fputs(", \"open\": [", stdout);
	for (i = 0; i < sample->n; i++) {
		fputs(i ? ", " : "", stdout);
		begin_stream(sample->streams[i].open);
		print_rates(&sample->streams[i]);
		putchar('}');
	}
	puts("]}");
}
