// SPDX-License-Identifier: LGPL-2.1-or-later
/* strstat-filter.c - which of the open streams are shown */
#include <stdlib.h>
#include <string.h>

#include "strstat-filter.h"

const char *const filter_kinds[] = { "pipe", "device", "udp", "tcp", NULL };

const char *const filter_states[] = {
	"established", "syn-sent", "syn-recv", "fin-wait-1", "fin-wait-2", "time-wait",
	"unconnected", "close-wait", "last-ack", "listening", "closing", NULL
};

bool filter_is_empty(const struct filter *f)
{
	return !f->program && !f->by_user && !f->kind && !f->port && !f->address && !f->state;
}

static bool is(const struct open_stream *s, const char *key, const char *wanted)
{
	const char *value = open_stream_get(s, key);

	return !wanted || (value && !strcmp(value, wanted));
}

/* Returns whether an end "ADDRESS:PORT" or "[ADDRESS]:PORT" has those, if they are given. */
static bool end_is(const char *end, const char *address, const char *port)
{
	const char *colon = end ? strrchr(end, ':') : NULL;
	size_t len = colon - end;

	if (!colon || (port && strcmp(colon + 1, port)))
		return false;
	if (*end == '[') {
		end++;
		len -= 2;
	}
	return !address || (strlen(address) == len && !memcmp(end, address, len));
}

static bool passes(const struct filter *f, const struct open_stream *s)
{
	const char *uid = open_stream_get(s, "uid");

	if (!is(s, "comm", f->program) || !is(s, "kind", f->kind) || !is(s, "state", f->state))
		return false;
	if (f->by_user && (!uid || strtoul(uid, NULL, 10) != f->uid))
		return false;
	return (!f->port && !f->address) ||
	       end_is(open_stream_get(s, "local"), f->address, f->port) ||
	       end_is(open_stream_get(s, "remote"), f->address, f->port);
}

void filter_apply(const struct filter *filter, struct open_streams *streams)
{
	size_t i, n = 0;

	for (i = 0; i < streams->n; i++) {
		if (passes(filter, &streams->list[i]))
			streams->list[n++] = streams->list[i];
		else
			open_stream_free(&streams->list[i]);
	}
	streams->n = n;
}
