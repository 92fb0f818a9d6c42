// SPDX-License-Identifier: LGPL-2.1-or-later
/* strstat-prometheus.c - the output of strstat, in Prometheus's text format, version 0.0.4 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "strstat-prometheus.h"
#include "text.h"

/* A number that each stream has, and the metric that it is */
static const struct metric {
	const char *key;
	const char *name;
	const char *type;
	const char *help;
} metrics[] = {
	{ "queued", "queued_bytes", "gauge", "Bytes that wait to be read." },
	{ "hiwat", "hiwat_bytes", "gauge", "Bytes at which writers are held up." },
	{ "sent_bytes", "sent_bytes_total", "counter", "Bytes sent." },
	{ "received_bytes", "received_bytes_total", "counter", "Bytes received." },
	{ "sent_messages", "sent_messages_total", "counter", "Messages sent." },
	{ "received_messages", "received_messages_total", "counter", "Messages received." },
	{ "stops", "stops_total", "counter", "Times that a writer found no room." },
	{ "drops", "drops_total", "counter", "Messages or datagrams that were lost." },
	{ }
};

static const char *const labels[] = { "id", "kind", "pid", "uid", "comm", "name", "local", NULL };

static void print_label(const char *name, const char *value, bool first)
{
	const char *shown;
	size_t len;

	printf("%s%s=\"", first ? "" : ",", strcmp(name, "comm") ? name : "command");
	for (; *value; value += len) {
		shown = text_next(value, false, &len);
		if (*shown == '"' || *shown == '\\')
			putchar('\\');
		fwrite(shown, shown == value ? len : 1, 1, stdout);
	}
	putchar('"');
}

static void print_labels(const struct open_stream *s)
{
	bool first = true;
	size_t i;

	putchar('{');
	for (i = 0; labels[i]; i++) {
		const char *value = open_stream_get(s, labels[i]);

		if (!value)
			continue;
		print_label(labels[i], value, first);
		first = false;
	}
	putchar('}');
}

static void print_metric(const struct metric *metric, const struct open_streams *streams)
{
	size_t i;

	printf("# HELP strsock_stream_%s %s\n# TYPE strsock_stream_%s %s\n", metric->name,
	       metric->help, metric->name, metric->type);
	for (i = 0; i < streams->n; i++) {
		const char *value = open_stream_get(&streams->list[i], metric->key);

		if (!value)
			continue;
		printf("strsock_stream_%s", metric->name);
		print_labels(&streams->list[i]);
		printf(" %s\n", value);
	}
}

static void print_counter(const struct counters *counters, const char *name)
{
	size_t i;

	printf("# HELP strsock_%s_total See strstat(8), counter %s.\n", name, name);
	printf("# TYPE strsock_%s_total counter\n", name);
	for (i = 0; i < counters->n; i++) {
		const struct counter *c = &counters->list[i];

		if (!strcmp(c->name, name))
			printf("strsock_%s_total{kind=\"%s\"} %llu\n", name, c->kind, c->value);
	}
}

void prometheus_print(const struct counters *counters, const struct open_streams *streams)
{
	const struct metric *metric;
	size_t i;

	for (i = 0; counters && i < counters->n; i++) {
		if (counter_is_first(counters, i))
			print_counter(counters, counters->list[i].name);
	}
	if (!streams)
		return;
	printf("# HELP strsock_streams Open streams.\n# TYPE strsock_streams gauge\n"
	       "strsock_streams %zu\n", streams->n);
	for (metric = metrics; metric->key; metric++)
		print_metric(metric, streams);
}
