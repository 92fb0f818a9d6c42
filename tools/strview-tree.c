// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * strview-tree.c - the open streams as a tree in the terminal
 *
 * The tree is made whole before it is printed: a line ends with a corner when nothing
 * follows it, which is known only then.
 */
#include <err.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "strview-draw.h"
#include "text.h"

/* A queue's fill, printed behind the text of a line */
struct node_fill {
	const char *title;
	struct fill fill;
};

struct node {
	char *text;
	struct node_fill fills[2];
	struct node **children;
	size_t n;
};

__attribute__((format(printf, 2, 3)))
static struct node *node_add(struct node *parent, const char *format, ...)
{
	struct node *node = calloc(1, sizeof(*node));
	va_list args;
	int len = -1;

	va_start(args, format);
	if (node)
		len = vasprintf(&node->text, format, args);
	va_end(args);
	if (len >= 0)
		parent->children = reallocarray(parent->children, parent->n + 1,
						sizeof(*parent->children));
	if (len < 0 || !parent->children)
		err(EXIT_FAILURE, "no memory");
	parent->children[parent->n++] = node;
	return node;
}

static void node_free(struct node *node)
{
	size_t i;

	for (i = 0; i < node->n; i++) {
		node_free(node->children[i]);
		free(node->children[i]);
	}
	free(node->children);
	free(node->text);
}

/* The color tells how full a queue is. */
static void print_fill(const struct node_fill *f, const struct tree_style *style, FILE *to)
{
	unsigned int percent = fill_percent(f->fill);
	const char *color = !f->fill.bytes ? NULL : percent < 50 ? "\033[32m" :
			    percent < 90 ? "\033[33m" : "\033[31m";

	fprintf(to, " %s", f->title);
	if (style->color && color)
		fputs(color, to);
	fprintf(to, "%llu/%llu", f->fill.bytes, f->fill.hiwat);
	if (style->color && color)
		fputs("\033[0m", to);
}

/* Prints what is below a node; lines begin with the branches of the nodes above. */
static void print_children(const struct node *node, const char *before,
			   const struct tree_style *style, FILE *to)
{
	size_t i, j;

	for (i = 0; i < node->n; i++) {
		const struct node *child = node->children[i];
		bool last = i + 1 == node->n;
		const char *corner = style->ascii ? last ? "`- " : "|- " :
						    last ? "└─ " : "├─ ";
		const char *branch = last ? "   " : style->ascii ? "|  " : "│  ";
		char *inner;

		fputs(before, to);
		fputs(corner, to);
		text_print(child->text, style->ascii, to);
		for (j = 0; j < 2 && child->fills[j].title; j++)
			print_fill(&child->fills[j], style, to);
		putc('\n', to);
		if (asprintf(&inner, "%s%s", before, branch) < 0)
			err(EXIT_FAILURE, "no memory");
		print_children(child, inner, style, to);
		free(inner);
	}
}

static const char *user_name(uid_t uid)
{
	const struct passwd *user = getpwuid(uid);

	return user ? user->pw_name : "?";
}

static const char *arrow(const struct holder *h, const struct tree_style *style)
{
	if (h->reads && h->writes)
		return style->ascii ? "<->" : "⇄";
	return h->writes ? style->ascii ? "->" : "→" : style->ascii ? "<-" : "←";
}

/* Adds the processes, without that of a holder, that have a stream open. */
static void add_holders(struct node *node, const struct view *view,
			const struct view_stream *s, const struct holder *without,
			const struct tree_style *style)
{
	size_t i;

	for (i = 0; i < view->nholders; i++) {
		const struct holder *h = &view->holders[i];

		if (h->stream == s && (!without || !holder_same(h, without)))
			node_add(node, "%s %s(%d) fd %d", arrow(h, style), h->comm, h->pid, h->fd);
	}
}

static void add_stream(struct node *parent, const char *before, const struct view *view,
		       const struct view_stream *s, const struct holder *holder,
		       const struct tree_style *style);

/* Adds the streams that are linked below the driver of a control stream. */
static void add_linked(struct node *node, const struct view *view,
		       const struct view_stream *control, const struct tree_style *style)
{
	char *before;
	size_t i;

	for (i = 0; i < view->n; i++) {
		const struct view_stream *s = &view->streams[i];

		if (!s->wanted || s->control != control->id)
			continue;
		if (asprintf(&before, "muxid %s: ", s->muxid ?: "?") < 0)
			err(EXIT_FAILURE, "no memory");
		add_stream(node, before, view, s, NULL, style);
		free(before);
	}
}

static void add_elements(struct node *node, const struct view *view,
			 const struct view_stream *s, const struct tree_style *style)
{
	size_t i;

	for (i = 0; i < s->nelements; i++) {
		const struct element *e = &s->elements[i];
		bool driver = s->has_driver && i + 1 == s->nelements;
		struct node *line = node_add(node, "%s%s%s%s", driver ? "driver " : "", e->name,
					     *e->detail ? " " : "", e->detail);

		/* A queue that holds nothing back has no mark. */
		if (e->write.hiwat || e->read.hiwat) {
			line->fills[0] = (struct node_fill){ "down ", e->write };
			line->fills[1] = (struct node_fill){ "up ", e->read };
		}
		if (driver)
			add_linked(line, view, s, style);
	}
}

/* Adds the other end of a pipe or a connection. */
static void add_other(struct node *node, const struct view *view, const struct view_stream *s,
		      const struct tree_style *style)
{
	const char *obstacle = view_get(s, "obstacle");
	bool direct = obstacle && !strcmp(obstacle, "none");
	const struct view_stream *other = s->other;
	struct node *line;

	if (!other)
		return;
	line = node_add(node, "%s %s #%llu%s%s%s", style->ascii ? "<->" : "⇄", other->kind,
			other->id, !obstacle ? "" : direct ? ", the short way" : ", by IP: ",
			obstacle && !direct ? obstacle : "",
			view_get(other, "modules") && other->nelements ? ", with modules" : "");
	add_holders(line, view, other, NULL, style);
}

/* Adds a stream with all it consists of, below the descriptor of a process or a driver. */
static void add_stream(struct node *parent, const char *before, const struct view *view,
		       const struct view_stream *s, const struct holder *holder,
		       const struct tree_style *style)
{
	const char *remote = view_get(s, "remote"), *state = view_get(s, "state");
	struct node *node;

	node = node_add(parent, "%s%s #%llu %s%s%s%s%s", before, s->kind, s->id, stream_title(s),
			remote ? style->ascii ? " -> " : " → " : "", remote ?: "",
			state ? " " : "", state ?: "");
	node->fills[0] = (struct node_fill){ "", s->head };
	add_elements(node, view, s, style);
	if (s->below && holder)
		node_add(node, "below %s, muxid %s, of %s%llu", s->below, s->muxid ?: "?",
			 s->control ? "#" : "no stream: persistent, ", s->control);
	add_other(node, view, s, style);
	if (holder)
		add_holders(node, view, s, holder, style);
}

/* Adds a process with its streams. Returns the number of its descriptors. */
static size_t add_process(struct node *root, struct view *view, size_t first,
			  const struct tree_style *style)
{
	const struct holder *h = &view->holders[first];
	struct node *process = NULL;
	char before[64];
	size_t i;

	for (i = first; i < view->nholders && holder_same(&view->holders[i], h); i++) {
		struct view_stream *s = view->holders[i].stream;

		if (!s->wanted)
			continue;
		if (!process)
			process = node_add(root, "%s(%d) %s", h->comm, h->pid, user_name(h->uid));
		snprintf(before, sizeof(before), "fd %d %s ", view->holders[i].fd,
			 arrow(&view->holders[i], style));
		add_stream(process, before, view, s, &view->holders[i], style);
		s->shown = true;
	}
	return i - first;
}

/* Adds the streams that no process has open as far as this user may see. */
static void add_others(struct node *root, const struct view *view, const struct tree_style *style)
{
	struct node *none = NULL;
	size_t i;

	for (i = 0; i < view->n; i++) {
		const struct view_stream *s = &view->streams[i];

		/* A stream below a driver is shown there. */
		if (!s->wanted || s->shown || view_find(view, s->control))
			continue;
		if (!none)
			none = node_add(root, "(no process that you may look into)");
		add_stream(none, s->below ? "persistent: " : "", view, s, NULL, style);
	}
}

void tree_print(struct view *view, const struct tree_style *style, FILE *to)
{
	struct node root = { };
	size_t i;

	for (i = 0; i < view->nholders;)
		i += add_process(&root, view, i, style);
	add_others(&root, view, style);
	for (i = 0; i < root.n; i++) {
		text_print(root.children[i]->text, style->ascii, to);
		putc('\n', to);
		print_children(root.children[i], "", style, to);
	}
	node_free(&root);
}
