// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * rules.c - the rules of the configuration file
 *
 * A line is five words, "program domain type protocol provider", and may have a sixth,
 * the modules to push; the first one that matches a program and a kind decides.
 */
#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "rules.h"
#include "sys.h"

#define DELETED " (deleted)"

enum { PROGRAM, DOMAIN, TYPE, PROTOCOL, PROVIDER, WORDS, MODULES = WORDS, MOST };

_Static_assert(MOST < CONF_MAX_WORDS, "one word too many has to be seen");

/* Each kind is written by these three words, in the middle of a line. */
static const char *const kinds[RULES_KINDS][WORDS] = {
	[RULES_PIPE] = { [DOMAIN] = "pipe", [TYPE] = "-", [PROTOCOL] = "-" },
	[RULES_UDP] = { [DOMAIN] = "inet", [TYPE] = "dgram", [PROTOCOL] = "udp" },
	[RULES_UDP6] = { [DOMAIN] = "inet6", [TYPE] = "dgram", [PROTOCOL] = "udp" },
	[RULES_TCP] = { [DOMAIN] = "inet", [TYPE] = "stream", [PROTOCOL] = "tcp" },
	[RULES_TCP6] = { [DOMAIN] = "inet6", [TYPE] = "stream", [PROTOCOL] = "tcp" },
};

#define KINDS	"pipe: - -; inet and inet6: dgram udp, stream tcp"

static const char *const unknown[WORDS] = {
	[DOMAIN] = "unknown domain (known are: inet inet6 pipe *)",
	[TYPE] = "unknown type (known are: dgram stream - *)",
	[PROTOCOL] = "unknown protocol (known are: udp tcp - *)",
};

/* The program whose rules are looked up, and the place of the verdict */
struct question {
	const struct rules_program *program;
	struct rules_verdict *verdict;
};

/* Matches a pattern: '*' stands for any run of characters, '?' for any one. */
static bool glob(const struct conf_word *pattern, const char *s)
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

/**
 * rules_executable - find the path of the file that a program is
 * @dir: the folder that the link is in
 * @link: the link of proc(5) to the file
 * @path: PATH_MAX bytes, in which the path is kept; empty before the first call
 *
 * Return: the path, or NULL.
 */
const char *rules_executable(int dir, const char *link, char *path)
{
	size_t tail = strlen(DELETED);
	long len;

	if (*path)
		return path;
	len = sys_call(SYS_readlinkat, dir, (long)link, (long)path, PATH_MAX - 1);
	if (len <= 0)
		return NULL;
	path[len] = '\0';
	/* A program replaced by an upgrade while it runs is the same program. */
	if ((size_t)len > tail && !strcmp(path + len - tail, DELETED))
		path[len - tail] = '\0';
	return path;
}

/**
 * rules_names - is a rule for a program?
 * @pattern: the first word of the rule
 * @program: the program
 *
 * Return: whether it is.
 */
bool rules_names(const struct conf_word *pattern, const struct rules_program *program)
{
	bool path = memchr(pattern->text, '/', pattern->len);
	const char *exe, *base;

	if (!path && program->invoked && glob(pattern, program->invoked))
		return true;
	exe = program->exe(program->arg);
	if (!exe)
		return false;
	base = path ? NULL : strrchr(exe, '/');
	return glob(pattern, base ? base + 1 : exe);
}

/*
 * Finds the kinds that a rule mentions. Returns false when the rule makes no
 * sense.
 */
static bool which(const struct conf_word *word, bool matches[RULES_KINDS],
		  struct conf_fault *fault)
{
	unsigned int k, w;

	for (k = 0; k < RULES_KINDS; k++)
		matches[k] = true;
	for (w = DOMAIN; w <= PROTOCOL; w++) {
		bool known = false;

		for (k = 0; k < RULES_KINDS; k++) {
			if (conf_same(&word[w], "*") ||
			    conf_same(&word[w], kinds[k][w]))
				known = true;
			else
				matches[k] = false;
		}
		if (!known) {
			fault->reason = unknown[w];
			fault->at = word[w];
			return false;
		}
	}
	for (k = 0; k < RULES_KINDS; k++)
		if (matches[k])
			return true;
	fault->reason = "wrong type or protocol (" KINDS ") for domain";
	fault->at = word[DOMAIN];
	return false;
}

static bool only_pipes(const bool matches[RULES_KINDS])
{
	unsigned int k;

	for (k = 0; k < RULES_KINDS; k++)
		if (matches[k] && k != RULES_PIPE)
			return false;
	return true;
}

static bool modules_ok(enum rules_provider provider, const struct conf_word *word,
		       struct conf_fault *fault)
{
	fault->at = *word;
	fault->reason = provider == RULES_NATIVE ? "modules, but no STREAMS to push them on:" :
						   pushlist_fault(word->text, word->len,
								  PUSHLIST_MOST);
	return !fault->reason;
}

/* Reads one line. Returns false when it is not a rule. */
static bool read_rule(const struct conf_word *word, unsigned int n, struct rules_rule *rule,
		      struct conf_fault *fault)
{
	if (n < WORDS) {
		fault->reason =
			"too few words (wanted: program domain type protocol provider), last is";
		fault->at = word[n - 1];
		return false;
	}
	if (n > MOST) {
		fault->reason = "unexpected word after the modules:";
		fault->at = word[MOST];
		return false;
	}

	rule->program = word[PROGRAM];
	if (memchr(word[PROGRAM].text, '/', word[PROGRAM].len) &&
	    word[PROGRAM].text[0] != '/' && word[PROGRAM].text[0] != '*') {
		fault->reason = "program is neither a name nor an absolute path:";
		fault->at = word[PROGRAM];
		return false;
	}
	if (!which(word, rule->matches, fault))
		return false;

	if (conf_same(&word[PROVIDER], "streams")) {
		rule->provider = RULES_STREAMS;
	} else if (conf_same(&word[PROVIDER], "native")) {
		rule->provider = RULES_NATIVE;
	} else if (conf_same(&word[PROVIDER], "duplex") && only_pipes(rule->matches)) {
		rule->provider = RULES_DUPLEX;
	} else {
		fault->reason =
			"unknown provider (known are: streams native; for pipes alone: duplex)";
		fault->at = word[PROVIDER];
		return false;
	}
	rule->modules = n > MODULES ? word[MODULES] : (struct conf_word){ NULL };
	return n <= MODULES || modules_ok(rule->provider, &word[MODULES], fault);
}

/* Reads one line, and applies it to the program if it matches. */
static bool take_rule(void *arg, const struct conf_word *word, unsigned int n,
		      struct conf_fault *fault)
{
	const struct question *q = arg;
	struct rules_rule rule;
	unsigned int k;

	if (!read_rule(word, n, &rule, fault))
		return false;
	if (!q->program || !rules_names(&rule.program, q->program))
		return true;
	for (k = 0; k < RULES_KINDS; k++) {
		struct rules_verdict *v = &q->verdict[k];

		if (!rule.matches[k] || v->provider != RULES_UNSAID)
			continue;
		v->provider = rule.provider;
		if (rule.modules.text) {
			memcpy(v->push, rule.modules.text, rule.modules.len);
			v->push[rule.modules.len] = '\0';
		}
	}
	return true;
}

/**
 * rules_read - find what the rules of a file say of one program
 * @path: the file
 * @program: the program, or NULL to check the file only
 * @verdict: for each kind, set by the first rule that matches @program; left
 *	as it is, all zero, when none does. Not used without @program.
 * @report: called for each bad line; such a line counts as absent
 * @arg: handed to @report
 *
 * Return: as conf_read().
 */
int rules_read(const char *path, const struct rules_program *program,
	       struct rules_verdict verdict[RULES_KINDS],
	       conf_report_fn *report, void *arg)
{
	struct question q = { .program = program, .verdict = verdict };

	return conf_read(path, take_rule, &q, report, arg);
}

/* The function that receives each rule, and its argument */
struct reader {
	rules_each_fn *each;
	void *arg;
};

static bool hand_rule(void *arg, const struct conf_word *word, unsigned int n,
		      struct conf_fault *fault)
{
	const struct reader *reader = arg;
	struct rules_rule rule;

	if (!read_rule(word, n, &rule, fault))
		return false;
	return reader->each(reader->arg, &rule, fault);
}

/**
 * rules_each - read the rules of a file, one after the other
 * @path: the file
 * @each: receives each rule; it returns false, and sets the fault, where it cannot
 *	use the rule
 * @each_arg: handed to @each
 * @report: called for each bad line, and each that @each cannot use
 * @arg: handed to @report
 *
 * Return: as conf_read().
 */
int rules_each(const char *path, rules_each_fn *each, void *each_arg,
	       conf_report_fn *report, void *arg)
{
	struct reader reader = { .each = each, .arg = each_arg };

	return conf_read(path, hand_rule, &reader, report, arg);
}
