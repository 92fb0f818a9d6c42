// SPDX-License-Identifier: LGPL-2.1-or-later
/* strstat-table.c - a sample as lines of text: a line for each kind, and for each stream */
#include <pwd.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "strstat-table.h"
#include "text.h"

#define LINE	512

static const char *const order_names[ORDER_MAX] = {
	[ORDER_BYTES] = "bytes",
	[ORDER_MESSAGES] = "messages",
	[ORDER_FILL] = "fill",
	[ORDER_DROPS] = "drops",
	[ORDER_PROGRAM] = "program",
	[ORDER_PID] = "pid",
	[ORDER_ID] = "id",
};

const char *order_name(enum order order)
{
	return order_names[order];
}

static const char *get(const struct sample_stream *s, const char *key)
{
	return open_stream_get(s->open, key) ?: "-";
}

static double both(const struct sample_stream *s, enum rate one, enum rate other)
{
	return (s->rates[one] > 0 ? s->rates[one] : 0) +
	       (s->rates[other] > 0 ? s->rates[other] : 0);
}

/* Returns what streams are sorted by, the largest first. */
static double weight(const struct sample_stream *s, enum order order)
{
	switch (order) {
	case ORDER_BYTES:
		return both(s, RATE_SENT_BYTES, RATE_RECEIVED_BYTES);
	case ORDER_MESSAGES:
		return both(s, RATE_SENT_MESSAGES, RATE_RECEIVED_MESSAGES);
	case ORDER_FILL:
		return s->fill;
	case ORDER_DROPS:
		return s->rates[RATE_DROPS];
	case ORDER_PID:
		return -strtod(get(s, "pid"), NULL);
	default:
		return 0;
	}
}

/* Streams that are equal stay in the order of their ids. */
static int compare(const struct sample_stream *a, const struct sample_stream *b,
		   enum order order)
{
	double left = weight(a, order), right = weight(b, order);
	int names = order == ORDER_PROGRAM ? strcmp(get(a, "comm"), get(b, "comm")) : 0;

	return names ?: (left < right) - (left > right);
}

/* The argument of the comparison */
struct sorting {
	enum order order;
	bool reverse;
};

static int compare_sorted(const void *a, const void *b, void *arg)
{
	const struct sample_stream *left = a, *right = b;
	const struct sorting *sorting = arg;
	int result = compare(left, right, sorting->order);

	if (!result)
		result = (left->id > right->id) - (left->id < right->id);
	return sorting->reverse ? -result : result;
}

void table_sort(struct sample *sample, enum order order, bool reverse)
{
	struct sorting sorting = { order, reverse };

	qsort_r(sample->streams, sample->n, sizeof(*sample->streams), compare_sorted, &sorting);
}

/* Writes a number in five columns at most, with a power of 1,000. */
static const char *short_number(double n, char text[16])
{
	static const char units[] = " kMGTPE";
	const char *unit = units;

	if (n < 0)
		return "-";
	for (; n >= 999.5 && unit[1]; unit++)
		n /= 1000;
	if (*unit == ' ')
		snprintf(text, 16, "%.0f", n);
	else
		snprintf(text, 16, n < 9.95 ? "%.1f%c" : "%.0f%c", n, *unit);
	return text;
}

/* Appends to a line as much as there is room for. */
__attribute__((format(printf, 3, 4)))
static void add(char *line, size_t size, const char *format, ...)
{
	size_t len = strlen(line);
	va_list args;

	va_start(args, format);
	vsnprintf(line + len, size - len, format, args);
	va_end(args);
}

bool table_total(const struct sample *sample, size_t index, char *line, size_t size)
{
	const char *kind = NULL;
	char number[16];
	size_t i, n = 0;

	*line = '\0';
	for (i = 0; i < sample->counters.n; i++) {
		const struct counter *c = &sample->counters.list[i];

		if (!kind || strcmp(kind, c->kind))
			n++;
		kind = c->kind;
		if (n != index + 1)
			continue;
		if (!*line)
			add(line, size, "%-7s", kind);
		if (sample->counter_rates[i] > 0)
			add(line, size, " %s %s/s", c->name,
			    short_number(sample->counter_rates[i], number));
	}
	return n > index;
}

void table_title(char *line, size_t size)
{
	snprintf(line, size,
		 "%7s %-6s %7s %-15s %-8s %6s %6s %6s %6s %5s %4s %5s %5s %-28s %s",
		 "ID", "KIND", "PID", "COMMAND", "USER", "OUT/s", "IN/s", "MSGO/s", "MSGI/s",
		 "QUEUE", "FILL", "STOP", "DROP", "NAME", "MODULES");
}

void table_stream(const struct sample_stream *s, char *line, size_t size)
{
	const char *uid = get(s, "uid"), *local = get(s, "local"), *remote = get(s, "remote");
	const struct passwd *user = getpwuid(strtoul(uid, NULL, 10));
	char rates[RATE_MAX][16], queued[16], name[128];
	const char *shown[RATE_MAX];
	int i;

	for (i = 0; i < RATE_MAX; i++)
		shown[i] = short_number(s->rates[i], rates[i]);
	if (strcmp(local, "-"))
		snprintf(name, sizeof(name), "%s%s%s", local, strcmp(remote, "-") ? ">" : "",
			 strcmp(remote, "-") ? remote : "");
	else
		snprintf(name, sizeof(name), "%s", get(s, "name"));
	snprintf(line, size, "%7llu %-6s %7s %-15.15s %-8.8s", s->id, get(s, "kind"),
		 get(s, "pid"), get(s, "comm"), user ? user->pw_name : uid);
	add(line, size, " %6s %6s %6s %6s %5s %3u%% %5s %5s %-28s %s", shown[RATE_SENT_BYTES],
	    shown[RATE_RECEIVED_BYTES], shown[RATE_SENT_MESSAGES], shown[RATE_RECEIVED_MESSAGES],
	    short_number(strtod(get(s, "queued"), NULL), queued), s->fill, shown[RATE_STOPS],
	    shown[RATE_DROPS], name, get(s, "modules"));
}

void table_print(const struct sample *sample, FILE *to)
{
	char line[LINE];
	size_t i;

	for (i = 0; table_total(sample, i, line, sizeof(line)); i++)
		fprintf(to, "%s\n", line);
	table_title(line, sizeof(line));
	fprintf(to, "%s\n", line);
	for (i = 0; i < sample->n; i++) {
		table_stream(&sample->streams[i], line, sizeof(line));
		text_print(line, false, to);
		putc('\n', to);
	}
}
