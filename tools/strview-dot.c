// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * strview-dot.c - the open streams as a graph in the language of dot(1)
 *
 * A process is a box. A stream is a column as System V's manuals draw it: the head, the
 * modules, the driver; to the left and to the right of each name the fill of the queue
 * that leads down and of the one that leads up.
 */
#include <pwd.h>
#include <string.h>

#include "strview-draw.h"
#include "text.h"

/* Prints text as a part of a label that is like HTML. */
static void print_html(const char *text, FILE *to)
{
	const char *shown;
	size_t len;

	for (; *text; text += len) {
		shown = text_next(text, false, &len);
		switch (*shown) {
		case '&':
			fputs("&amp;", to);
			break;
		case '<':
			fputs("&lt;", to);
			break;
		case '>':
			fputs("&gt;", to);
			break;
		case '"':
			fputs("&quot;", to);
			break;
		default:
			fwrite(shown, shown == text ? len : 1, 1, to);
		}
	}
}

/* The color tells how full a queue is. */
static const char *fill_color(struct fill fill)
{
	unsigned int percent = fill_percent(fill);

	return !fill.bytes ? "#ffffff" : percent < 50 ? "#cdeac0" :
	       percent < 90 ? "#ffe8a3" : "#f7b5a7";
}

static void print_head(const struct view_stream *s, FILE *to)
{
	const char *remote = view_get(s, "remote"), *state = view_get(s, "state");

	fprintf(to, "<tr><td colspan=\"3\" port=\"head\" bgcolor=\"%s\"><b>%s #%llu</b>",
		fill_color(s->head), s->kind, s->id);
	if (*stream_title(s)) {
		fputs("<br/>", to);
		print_html(stream_title(s), to);
	}
	if (remote) {
		fputs("<br/>to ", to);
		print_html(remote, to);
	}
	if (state)
		fprintf(to, "<br/>%s", state);
	fprintf(to, "<br/><font point-size=\"10\">%llu of %llu bytes</font></td></tr>\n",
		s->head.bytes, s->head.hiwat);
}

static void print_queue(const char *arrow, struct fill fill, FILE *to)
{
	fprintf(to, "<td bgcolor=\"%s\"><font point-size=\"10\">%s %llu</font></td>",
		fill_color(fill), arrow, fill.bytes);
}

static void print_element(const struct view_stream *s, size_t i, FILE *to)
{
	const struct element *e = &s->elements[i];
	bool driver = s->has_driver && i + 1 == s->nelements;

	fputs("<tr>", to);
	print_queue("↓", e->write, to);
	fprintf(to, "<td%s>%s", driver ? " port=\"driver\" bgcolor=\"#e3e3e3\"" : "",
		driver ? "driver " : "");
	print_html(e->name, to);
	if (*e->detail) {
		fputs("<br/><font point-size=\"10\">", to);
		print_html(e->detail, to);
		fputs("</font>", to);
	}
	fputs("</td>", to);
	print_queue("↑", e->read, to);
	fputs("</tr>\n", to);
}

static void print_stream(const struct view_stream *s, FILE *to)
{
	size_t i;

	fprintf(to, "s%llu [shape=plain, label=<", s->id);
	fputs("<table border=\"0\" cellborder=\"1\" cellspacing=\"0\" cellpadding=\"5\">\n", to);
	print_head(s, to);
	for (i = 0; i < s->nelements; i++)
		print_element(s, i, to);
	fputs("</table>>];\n", to);
}

static void print_process(const struct holder *h, FILE *to)
{
	const struct passwd *user = getpwuid(h->uid);

	fprintf(to, "p%d [shape=box, style=\"rounded,filled\", fillcolor=\"#dbe6f5\", label=<<b>",
		h->pid);
	print_html(h->comm, to);
	fprintf(to, "</b><br/>%d ", h->pid);
	print_html(user ? user->pw_name : "?", to);
	fputs(">];\n", to);
}

/* Returns whether the stream is the right one of two ends, so that a picture reads across. */
static bool is_right(const struct view_stream *s)
{
	return s->other && s->other->id < s->id;
}

static void print_descriptor(const struct holder *h, FILE *to)
{
	const char *both = h->reads && h->writes ? "both" : "forward";

	/* The reader of a FIFO is to its right, so that a pipeline reads across. */
	if (!h->writes || is_right(h->stream))
		fprintf(to, "s%llu:head -> p%d [dir=%s, label=\" fd %d \"];\n", h->stream->id,
			h->pid, both, h->fd);
	else
		fprintf(to, "p%d -> s%llu:head [dir=%s, label=\" fd %d \"];\n", h->pid,
			h->stream->id, both, h->fd);
}

static void print_processes(const struct view *view, FILE *to)
{
	pid_t last = 0;
	size_t i;

	for (i = 0; i < view->nholders; i++) {
		const struct holder *h = &view->holders[i];

		if (!h->stream->wanted)
			continue;
		if (h->pid != last)
			print_process(h, to);
		last = h->pid;
		print_descriptor(h, to);
	}
}

/* Prints the edge between the ends of a pipe or a connection, once for both. */
static void print_connection(const struct view_stream *s, FILE *to)
{
	const char *obstacle = view_get(s, "obstacle"), *remote = view_get(s, "remote");

	if (s->other && !is_right(s)) {
		fprintf(to, "s%llu:head -> s%llu:head [dir=both, penwidth=2", s->id, s->other->id);
		if (obstacle && strcmp(obstacle, "none"))
			fprintf(to, ", style=dashed, label=\" by IP: %s \"", obstacle);
		else if (obstacle)
			fputs(", color=\"#2e7d32\", label=\" the short way \"", to);
		fputs("];\n", to);
	} else if (!s->other && remote) {
		fprintf(to, "\"r %s\" [label=<", remote);
		print_html(remote, to);
		fprintf(to, ">, shape=ellipse];\ns%llu:head -> \"r %s\" ", s->id, remote);
		fputs("[dir=both, style=dashed];\n", to);
	}
}

/* Prints the edge from a multiplexing driver to a stream that is linked below. */
static void print_link(const struct view *view, const struct view_stream *s, FILE *to)
{
	if (!s->below)
		return;
	if (view_find(view, s->control)) {
		fprintf(to, "s%llu:driver -> ", s->control);
	} else {
		fputs("\"m ", to);
		print_html(s->below, to);
		fputs("\" [shape=box, style=filled, fillcolor=\"#e3e3e3\", label=<driver ", to);
		print_html(s->below, to);
		fputs(">];\n\"m ", to);
		print_html(s->below, to);
		fputs("\" -> ", to);
	}
	fprintf(to, "s%llu:head [dir=both, label=\" muxid %s \"];\n", s->id, s->muxid ?: "?");
}

void dot_print(const struct view *view, FILE *to)
{
	size_t i;

	fputs("digraph streams {\n"
	      "rankdir=LR; nodesep=0.3; ranksep=0.6;\n"
	      "graph [fontname=\"sans-serif\"];\n"
	      "node [fontname=\"sans-serif\", fontsize=12];\n"
	      "edge [fontname=\"sans-serif\", fontsize=10, arrowsize=0.7];\n", to);
	for (i = 0; i < view->n; i++) {
		if (view->streams[i].wanted)
			print_stream(&view->streams[i], to);
	}
	print_processes(view, to);
	for (i = 0; i < view->n; i++) {
		if (!view->streams[i].wanted)
			continue;
		print_connection(&view->streams[i], to);
		print_link(view, &view->streams[i], to);
	}
	fputs("}\n", to);
}
