// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * rules.c - reads the configuration file
 *
 * A line is five words, "program domain type protocol provider"; the first one
 * that matches a program and a kind decides. A bad line is reported and
 * skipped, so that one slip does not turn every other rule off.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>

#include "rules.h"
#include "sys.h"

struct word {
	const char *text;
	size_t len;
};

enum { PROGRAM, DOMAIN, TYPE, PROTOCOL, PROVIDER, WORDS };

/* The middle three words, for each kind. */
static const char *const kinds[RULES_KINDS][WORDS] = {
	[RULES_PIPE] = { [DOMAIN] = "pipe", [TYPE] = "-", [PROTOCOL] = "-" },
	[RULES_UDP] = { [DOMAIN] = "inet", [TYPE] = "dgram", [PROTOCOL] = "udp" },
};

static const char *const unknown[WORDS] = {
	[DOMAIN] = "unknown domain (known are: inet pipe *)",
	[TYPE] = "unknown type (known are: dgram - *)",
	[PROTOCOL] = "unknown protocol (known are: udp - *)",
};

/* Read once, by one thread, before main(). */
static char text[RULES_MAX_FILE + 1];

static bool same(const struct word *w, const char *s)
{
	return strlen(s) == w->len && !memcmp(w->text, s, w->len);
}

/* '*' stands for any run of characters, '?' for any one. */
static bool glob(const struct word *pattern, const char *s)
{
	const char *p = pattern->text, *end = p + pattern->len;
	const char *star = NULL, *resume = NULL;

	while (*s) {
		if (p < end && *p == '*') {
			star = p++;
			resume = s;
		} else if (p < end && (*p == '?' || *p == *s)) {
			p++;
			s++;
		} else if (star) {
			p = star + 1;
			s = ++resume;
		} else {
			return false;
		}
	}
	while (p < end && *p == '*')
		p++;
	return p == end;
}

static bool names(const struct word *pattern, const struct rules_program *program)
{
	const char *base;

	if (memchr(pattern->text, '/', pattern->len))
		return program->exe && glob(pattern, program->exe);
	if (program->invoked && glob(pattern, program->invoked))
		return true;
	if (!program->exe)
		return false;
	base = strrchr(program->exe, '/');
	return glob(pattern, base ? base + 1 : program->exe);
}

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* Splits a line; returns the number of words, of which at most @max are kept. */
static unsigned int split(const char *line, size_t len, struct word *word,
			  unsigned int max)
{
	const char *p = line, *end = line + len;
	unsigned int n = 0;

	for (;;) {
		const char *start;

		while (p < end && blank(*p))
			p++;
		if (p == end || *p == '#')
			return n;
		start = p;
		while (p < end && !blank(*p))
			p++;
		if (n < max) {
			word[n].text = start;
			word[n].len = p - start;
		}
		n++;
	}
}

/* One line. Returns false, with *reason and *at set, when it makes no sense. */
static bool rule(const char *line, size_t len, const struct rules_program *program,
		 enum rules_provider verdict[RULES_KINDS], const char **reason,
		 struct word *at)
{
	struct word word[WORDS + 1];
	enum rules_provider provider;
	bool matches[RULES_KINDS], any = false;
	unsigned int n, k, w;

	*reason = NULL;
	*at = (struct word){ NULL, 0 };
	if (len > RULES_MAX_LINE) {
		*reason = "line longer than 512 bytes";
		return false;
	}
	if (memchr(line, '\0', len)) {
		*reason = "zero byte in a line: is this a text file?";
		return false;
	}
	n = split(line, len, word, WORDS + 1);
	if (!n)
		return true;
	if (n < WORDS) {
		*reason = "too few words (wanted: program domain type protocol provider), last is";
		*at = word[n - 1];
		return false;
	}
	if (n > WORDS) {
		*reason = "unexpected word after the provider:";
		*at = word[WORDS];
		return false;
	}

	if (memchr(word[PROGRAM].text, '/', word[PROGRAM].len) &&
	    word[PROGRAM].text[0] != '/' && word[PROGRAM].text[0] != '*') {
		*reason = "program is neither a name nor an absolute path:";
		*at = word[PROGRAM];
		return false;
	}

	for (k = 0; k < RULES_KINDS; k++)
		matches[k] = true;
	for (w = DOMAIN; w <= PROTOCOL; w++) {
		bool known = false;

		for (k = 0; k < RULES_KINDS; k++) {
			if (same(&word[w], "*") || same(&word[w], kinds[k][w]))
				known = true;
			else
				matches[k] = false;
		}
		if (!known) {
			*reason = unknown[w];
			*at = word[w];
			return false;
		}
	}
	for (k = 0; k < RULES_KINDS; k++)
		any |= matches[k];
	if (!any) {
		*reason = "wrong type or protocol (wanted: pipe - - or inet dgram udp) for domain";
		*at = word[DOMAIN];
		return false;
	}

	if (same(&word[PROVIDER], "streams")) {
		provider = RULES_STREAMS;
	} else if (same(&word[PROVIDER], "native")) {
		provider = RULES_NATIVE;
	} else {
		*reason = "unknown provider (known are: streams native)";
		*at = word[PROVIDER];
		return false;
	}

	if (!program || !names(&word[PROGRAM], program))
		return true;
	for (k = 0; k < RULES_KINDS; k++)
		if (matches[k] && verdict[k] == RULES_UNSAID)
			verdict[k] = provider;
	return true;
}

/* Fills @text. Returns the number of bytes, or a negative error number. */
static long slurp(const char *path)
{
	size_t len = 0;
	long fd, n;

	/* O_NONBLOCK: a FIFO put in the file's place shall not stop a program. */
	fd = sys_call(SYS_openat, AT_FDCWD, (long)path,
		      O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0);
	if (fd < 0)
		return fd;
	while (len < sizeof(text)) {
		n = sys_call(SYS_read, fd, (long)(text + len), sizeof(text) - len, 0);
		if (n == -EINTR)
			continue;
		if (n <= 0)
			break;
		len += n;
	}
	sys_call(SYS_close, fd, 0, 0, 0);
	if (len > RULES_MAX_FILE)
		return -EFBIG;
	return n < 0 ? n : (long)len;
}

/**
 * rules_read - find what the rules of a file say of one program
 * @path: the file
 * @program: the program, or NULL to check the file only
 * @verdict: for each kind, set by the first rule that matches @program; left
 *	as it is, RULES_UNSAID, when none does. Not used without @program.
 * @report: called for each bad line; such a line counts as absent
 * @arg: handed to @report
 *
 * Not reentrant: the file is read into one static buffer.
 *
 * Return: the number of bad lines; or a negative error number when the file
 * cannot be read at all, -EFBIG when it is longer than RULES_MAX_FILE bytes.
 */
int rules_read(const char *path, const struct rules_program *program,
	       enum rules_provider verdict[RULES_KINDS],
	       rules_report_fn *report, void *arg)
{
	unsigned int number = 0;
	const char *p, *end;
	int bad = 0;
	long len;

	len = slurp(path);
	if (len < 0)
		return len;

	for (p = text, end = text + len; p < end; ) {
		const char *eol = memchr(p, '\n', end - p);
		const char *reason;
		struct word at;

		if (!eol)
			eol = end;
		number++;
		if (!rule(p, eol - p, program, verdict, &reason, &at)) {
			report(arg, number, reason, at.text, at.len);
			bad++;
		}
		p = eol + 1;
	}
	return bad;
}
