// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * strview-model.c - the streams that are open, what they consist of, and their users
 *
 * The streams are those that strstat shows. Which process has which of them open is in
 * /proc/PID/fdinfo, for the processes that the user may trace.
 */
#include <ctype.h>
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "must.h"
#include "strstat-proc.h"
#include "strview-model.h"

static unsigned long long number(const char *digits)
{
	return digits ? strtoull(digits, NULL, 10) : 0;
}

const char *view_get(const struct view_stream *s, const char *key)
{
	return open_stream_get(s->open, key);
}

/* Makes an element of "NAME:DETAIL=VALUE:..." and, if there is one, its fill. */
static void read_element(struct element *e, char *text, const char **fill)
{
	char *colon = strchr(text, ':');

	e->name = text;
	e->detail = colon ? colon + 1 : text + strlen(text);
	if (colon)
		*colon = '\0';
	while ((colon = strchr(e->detail, ':')))
		*colon = ' ';
	if (!*fill)
		return;
	*fill = fill_read(*fill, &e->read);
	*fill += **fill == ':';
	*fill = fill_read(*fill, &e->write);
	*fill += **fill == ',';
}

static void read_elements(struct view_stream *s)
{
	const char *modules = view_get(s, "modules"), *fill = view_get(s, "fill");
	char *text, *name, *rest;

	if (!modules || !strcmp(modules, "-"))
		return;
	text = must(strdup(modules));
	for (name = strtok_r(text, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
		s->elements = must(reallocarray(s->elements, s->nelements + 1,
						sizeof(*s->elements)));
		s->elements[s->nelements] = (struct element){ };
		read_element(&s->elements[s->nelements++], name, &fill);
	}
	s->has_driver = !strcmp(s->kind, "device");
}

static void read_stream(struct view_stream *s, const struct open_stream *open)
{
	s->open = open;
	s->kind = view_get(s, "kind") ?: "stream";
	s->id = number(view_get(s, "id"));
	s->peer = number(view_get(s, "peer"));
	s->control = number(view_get(s, "control"));
	s->below = view_get(s, "below");
	s->muxid = view_get(s, "muxid");
	s->head.bytes = number(view_get(s, "queued"));
	s->head.hiwat = number(view_get(s, "hiwat"));
	read_elements(s);
}

struct view_stream *view_find(const struct view *view, unsigned long long id)
{
	size_t low = 0, high = view->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (view->streams[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return id && low < view->n && view->streams[low].id == id ? &view->streams[low] : NULL;
}

static const char *address(const struct view_stream *s, const char *key)
{
	return view_get(s, key) ?: "";
}

static int compare_ends(const struct view_stream *a, const char *local, const char *remote,
			const char *kind)
{
	return strcmp(a->kind, kind) ?: strcmp(address(a, "local"), local) ?:
	       strcmp(address(a, "remote"), remote);
}

static int by_ends(const void *a, const void *b)
{
	const struct view_stream *left = *(struct view_stream *const *)a;
	const struct view_stream *right = *(struct view_stream *const *)b;

	return compare_ends(left, address(right, "local"), address(right, "remote"),
			    right->kind);
}

static int by_other_end(const void *key, const void *element)
{
	const struct view_stream *s = key;

	return -compare_ends(*(struct view_stream *const *)element, address(s, "remote"),
			     address(s, "local"), s->kind);
}

/* Finds the other end of each pipe, and of each connection between sockets of this host. */
static void find_others(struct view *view)
{
	struct view_stream **ends = must(calloc(view->n + 1, sizeof(*ends))), **found;
	size_t i;

	for (i = 0; i < view->n; i++)
		ends[i] = &view->streams[i];
	qsort(ends, view->n, sizeof(*ends), by_ends);
	for (i = 0; i < view->n; i++) {
		struct view_stream *s = &view->streams[i];

		s->other = view_find(view, s->peer);
		if (s->other || !view_get(s, "remote"))
			continue;
		found = bsearch(s, ends, view->n, sizeof(*ends), by_other_end);
		s->other = found ? *found : NULL;
	}
	free(ends);
}

bool holder_same(const struct holder *a, const struct holder *b)
{
	return a->pid == b->pid;
}

/* Reads a small file below a folder. Returns false if it cannot be read. */
static bool read_file(int folder, const char *name, char *text, size_t size)
{
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	if (n < 0)
		return false;
	text[n] = '\0';
	return true;
}

/* Returns the value of a line "KEY:\tVALUE" of fdinfo, or NULL. */
static const char *fdinfo_get(const char *text, const char *key)
{
	const char *found = strstr(text, key);

	return found && (found == text || found[-1] == '\n') ? found + strlen(key) : NULL;
}

static void add_holder(struct view *view, const struct holder *holder)
{
	view->holders = must(reallocarray(view->holders, view->nholders + 1,
					  sizeof(*view->holders)));
	view->holders[view->nholders++] = *holder;
}

/* Adds a descriptor if it is a stream. */
static void read_descriptor(struct view *view, struct holder *holder, int fdinfo,
			    const char *name)
{
	char text[4096];
	const char *flags;
	int mode;

	if (!read_file(fdinfo, name, text, sizeof(text)))
		return;
	holder->stream = view_find(view, number(fdinfo_get(text, "stream:")));
	if (!holder->stream)
		return;
	flags = fdinfo_get(text, "flags:");
	mode = flags ? strtol(flags, NULL, 8) & O_ACCMODE : O_RDWR;
	holder->reads = mode != O_WRONLY;
	holder->writes = mode != O_RDONLY;
	holder->fd = atoi(name);
	add_holder(view, holder);
}

static int by_number(const struct dirent **a, const struct dirent **b)
{
	int left = atoi((*a)->d_name), right = atoi((*b)->d_name);

	return (left > right) - (left < right);
}

static int is_number(const struct dirent *entry)
{
	return isdigit((unsigned char)entry->d_name[0]);
}

/* A process may end meanwhile, and belong to others: neither is an error. */
static void read_process(struct view *view, int proc, const char *pid)
{
	struct holder holder = { .pid = atoi(pid) };
	struct dirent **names = NULL;
	char comm[64], *end;
	struct stat st;
	int process, fdinfo = -1, i, n = 0;

	process = openat(proc, pid, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (process < 0)
		return;
	if (!fstat(process, &st) && read_file(process, "comm", comm, sizeof(comm)))
		fdinfo = openat(process, "fdinfo", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fdinfo >= 0) {
		/* The name itself may have others. */
		end = strrchr(comm, '\n');
		if (end)
			*end = '\0';
		holder.uid = st.st_uid;
		holder.comm = must(strdup(comm));
		n = scandirat(fdinfo, ".", &names, is_number, by_number);
	}
	for (i = 0; i < n; i++) {
		read_descriptor(view, &holder, fdinfo, names[i]->d_name);
		free(names[i]);
	}
	free(names);
	if (fdinfo >= 0)
		close(fdinfo);
	close(process);
}

static void read_processes(struct view *view)
{
	int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct dirent **names;
	int i, n;

	if (proc < 0)
		err(EXIT_FAILURE, "/proc");
	n = scandirat(proc, ".", &names, is_number, by_number);
	if (n < 0)
		err(EXIT_FAILURE, "/proc");
	for (i = 0; i < n; i++) {
		/* The picture would not have its own descriptors a moment later. */
		if (atoi(names[i]->d_name) != getpid())
			read_process(view, proc, names[i]->d_name);
		free(names[i]);
	}
	free(names);
	close(proc);
}

void view_read(struct view *view)
{
	size_t i;

	proc_read_open(&view->open);
	view->n = view->open.n;
	view->streams = must(calloc(view->n + 1, sizeof(*view->streams)));
	for (i = 0; i < view->n; i++)
		read_stream(&view->streams[i], &view->open.list[i]);
	find_others(view);
	read_processes(view);
}

static bool holder_wanted(const struct holder *h, const struct view_filter *filter)
{
	return (!filter->pid || h->pid == filter->pid) &&
	       (!filter->by_user || h->uid == filter->uid) &&
	       (!filter->program || !strcmp(h->comm, filter->program));
}

/* Adds what is directly joined with a stream that is in the picture. */
static bool want_joined(const struct view *view, struct view_stream *s)
{
	struct view_stream *other[] = { s->other, view_find(view, s->control) };
	bool added = false;
	size_t i;

	for (i = 0; i < 2; i++) {
		/* A stream of the pair may be the one that knows of the other: both are asked. */
		if (!other[i] || other[i]->wanted == s->wanted)
			continue;
		other[i]->wanted = true;
		s->wanted = true;
		added = true;
	}
	return added;
}

bool view_is_wanted(const struct view *view)
{
	size_t i;

	for (i = 0; i < view->n; i++) {
		if (view->streams[i].wanted)
			return true;
	}
	return false;
}

void view_select(struct view *view, const struct view_filter *filter)
{
	bool all = !filter->pid && !filter->by_user && !filter->program;
	bool added = true;
	size_t i;

	for (i = 0; i < view->n; i++)
		view->streams[i].wanted = all;
	for (i = 0; i < view->nholders; i++) {
		if (holder_wanted(&view->holders[i], filter))
			view->holders[i].stream->wanted = true;
	}
	while (added) {
		added = false;
		for (i = 0; i < view->n; i++)
			added |= want_joined(view, &view->streams[i]);
	}
}
