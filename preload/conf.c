// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * conf.c - reads a configuration file
 *
 * A bad line is reported and skipped, so that one slip does not turn every
 * other line off.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "conf.h"
#include "sys.h"

/* The byte after the last one that may be there shows that a file is too long. */
#define TEXT	(CONF_MAX_FILE + 1)

/* A file of at most this length is read to the stack. */
#define SHORT	4096

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* Splits a line; returns the number of words, of which the first are kept. */
static unsigned int split_line(const char *line, size_t len,
			       struct conf_word word[CONF_MAX_WORDS])
{
	const char *p = line, *end = line + len;
	unsigned int n = 0;

	for (;;) {
		const char *start;

		while (p < end && is_blank(*p))
			p++;
		if (p == end || *p == '#')
			return n;
		start = p;
		while (p < end && !is_blank(*p))
			p++;
		if (n < CONF_MAX_WORDS) {
			word[n].text = start;
			word[n].len = p - start;
		}
		n++;
	}
}

static long file_open(const char *path)
{
	/* O_NONBLOCK keeps a FIFO put in the file's place from stopping a program. */
	return sys_call(SYS_openat, AT_FDCWD, (long)path,
			O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0);
}

/*
 * Reads to @text, which has @len bytes, until it has @size bytes or the file
 * ends. Returns the number of bytes, or a negative error number.
 */
static long read_up_to(long fd, char *text, size_t len, size_t size)
{
	long n;

	while (len < size) {
		n = sys_call(SYS_read, fd, (long)(text + len), size - len, 0);
		if (n == -EINTR)
			continue;
		if (n < 0)
			return n;
		if (!n)
			break;
		len += n;
	}
	return len;
}

/*
 * Reads the whole of a file that began with SHORT bytes. *@text is MAP_FAILED
 * when memory is short.
 */
static long slurp_long(long fd, const char *begun, char **text)
{
	*text = mmap(NULL, TEXT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (*text == MAP_FAILED)
		return -ENOMEM;
	memcpy(*text, begun, SHORT);
	return read_up_to(fd, *text, SHORT, TEXT);
}

static bool take_line(const char *start, size_t len, conf_line_fn *line, void *arg,
		      struct conf_fault *fault)
{
	struct conf_word word[CONF_MAX_WORDS];
	unsigned int n;

	*fault = (struct conf_fault){ NULL };
	if (len > CONF_MAX_LINE) {
		fault->reason = "line longer than 512 bytes";
		return false;
	}
	if (memchr(start, '\0', len)) {
		fault->reason = "zero byte in a line: is this a text file?";
		return false;
	}
	n = split_line(start, len, word);
	return !n || line(arg, word, n, fault);
}

/**
 * conf_same - compare a word
 * @word: the word
 * @s: with this
 *
 * Return: whether they are the same.
 */
bool conf_same(const struct conf_word *word, const char *s)
{
	return *word->text == *s && strlen(s) == word->len &&
	       !memcmp(word->text, s, word->len);
}

/*
 * Passes each line of the text to a function, and reports the bad ones. Returns
 * their number.
 */
static int take_lines(const char *text, size_t len, conf_line_fn *line, void *line_arg,
		      conf_report_fn *report, void *report_arg)
{
	const char *p, *end = text + len;
	unsigned int number = 0;
	int bad = 0;

	for (p = text; p < end; ) {
		const char *eol = memchr(p, '\n', end - p);
		struct conf_fault fault;

		if (!eol)
			eol = end;
		number++;
		if (!take_line(p, eol - p, line, line_arg, &fault)) {
			report(report_arg, number, fault.reason, fault.at.text,
			       fault.at.len);
			bad++;
		}
		p = eol + 1;
	}
	return bad;
}

/**
 * conf_read - take the lines of a file
 * @path: the file
 * @line: called for each line that has words, which are gone afterwards
 * @line_arg: handed to @line
 * @report: called for each bad line
 * @report_arg: handed to @report
 *
 * The text is on the stack, or if it is long in memory of its own: most programs find no
 * file or a short one, and a static buffer would be another mapping in each.
 *
 * Return: the number of bad lines; or a negative error number when the file
 * cannot be read at all, -EFBIG when it is longer than CONF_MAX_FILE bytes.
 */
int conf_read(const char *path, conf_line_fn *line, void *line_arg,
	      conf_report_fn *report, void *report_arg)
{
	char begun[SHORT], *text = begun;
	long fd = file_open(path), n;

	if (fd < 0)
		return fd;
	n = read_up_to(fd, begun, 0, SHORT);
	if (n == SHORT)
		n = slurp_long(fd, begun, &text);
	sys_call(SYS_close, fd, 0, 0, 0);
	if (n > CONF_MAX_FILE)
		n = -EFBIG;
	if (n > 0)
		n = take_lines(text, n, line, line_arg, report, report_arg);
	if (text != begun && text != MAP_FAILED)
		munmap(text, TEXT);
	return n;
}
