// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * sock2path.c - the table that says which sockets use STREAMS
 *
 * Read once, before the program starts; finding a line is looking through a
 * few integers, and may be done anywhere.
 */
#include <limits.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "kind.h"
#include "sock2path.h"

enum { FAMILY, TYPE, PROTOCOL, PATH, WORDS };

_Static_assert(WORDS < CONF_MAX_WORDS, "one word too many has to be seen");

struct entry {
	int key[PATH];		/* family, type, protocol */
	enum inet_kind kind;
};

/* The table used where no line of the file matches. */
static const struct entry defaults[] = {
	{ { AF_INET, SOCK_DGRAM, 0 }, INET_UDP },
	{ { AF_INET, SOCK_DGRAM, IPPROTO_UDP }, INET_UDP },
	{ { AF_INET6, SOCK_DGRAM, 0 }, INET_UDP6 },
	{ { AF_INET6, SOCK_DGRAM, IPPROTO_UDP }, INET_UDP6 },
	{ { AF_INET, SOCK_STREAM, 0 }, INET_TCP },
	{ { AF_INET, SOCK_STREAM, IPPROTO_TCP }, INET_TCP },
	{ { AF_INET6, SOCK_STREAM, 0 }, INET_TCP6 },
	{ { AF_INET6, SOCK_STREAM, IPPROTO_TCP }, INET_TCP6 },
};

static struct entry table[SOCK2PATH_MAX_LINES];
static unsigned int entries;
static bool too_many;

static const struct name {
	unsigned char column;
	const char *word;
	int value;
} names[] = {
	{ FAMILY, "inet", AF_INET },
	{ FAMILY, "inet6", AF_INET6 },
	{ FAMILY, "unix", AF_UNIX },
	{ TYPE, "stream", SOCK_STREAM },
	{ TYPE, "dgram", SOCK_DGRAM },
	{ TYPE, "raw", SOCK_RAW },
	{ TYPE, "rdm", SOCK_RDM },
	{ TYPE, "seqpacket", SOCK_SEQPACKET },
	{ PROTOCOL, "icmp", IPPROTO_ICMP },
	{ PROTOCOL, "tcp", IPPROTO_TCP },
	{ PROTOCOL, "udp", IPPROTO_UDP },
	{ PROTOCOL, "sctp", IPPROTO_SCTP },
};

static const char *const unknown[] = {
	[FAMILY] = "unknown family (write inet, inet6, unix or a number):",
	[TYPE] = "unknown type (write stream, dgram, raw, rdm, seqpacket or a number):",
	[PROTOCOL] = "unknown protocol (write icmp, tcp, udp, sctp or a number):",
};

/* A node's path here, and its path on System V */
static const struct path {
	const char *word;
	enum inet_kind kind;
} paths[] = {
	{ "-", INET_NONE },
	{ "/dev/streams/udp", INET_UDP },
	{ "/dev/udp", INET_UDP },
	{ "/dev/streams/udp6", INET_UDP6 },
	{ "/dev/udp6", INET_UDP6 },
	{ "/dev/streams/tcp", INET_TCP },
	{ "/dev/tcp", INET_TCP },
	{ "/dev/streams/tcp6", INET_TCP6 },
	{ "/dev/tcp6", INET_TCP6 },
};

#define MISFIT(socket, protocol) \
	"only '" socket " 0' and '" socket " " protocol "' go with it " \
	"(write - for others; System V has types 1 and 2 the other way round):"

/* The message for a path on a line of another kind */
static const char *const misfit[INET_KINDS] = {
	[INET_UDP] = MISFIT("inet dgram", "udp"),
	[INET_UDP6] = MISFIT("inet6 dgram", "udp"),
	[INET_TCP] = MISFIT("inet stream", "tcp"),
	[INET_TCP6] = MISFIT("inet6 stream", "tcp"),
};

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* Reads a decimal number. Returns false when it is not one, or too large for an int. */
static bool number(const struct conf_word *word, int *value)
{
	size_t i;
	int n = 0;

	for (i = 0; i < word->len; i++) {
		int digit = word->text[i] - '0';

		if (digit < 0 || digit > 9 || n > (INT_MAX - digit) / 10)
			return false;
		n = 10 * n + digit;
	}
	*value = n;
	return true;
}

static bool key(unsigned int column, const struct conf_word *word, int *value)
{
	size_t i;

	for (i = 0; i < COUNT(names); i++) {
		if (names[i].column == column && conf_same(word, names[i].word)) {
			*value = names[i].value;
			return true;
		}
	}
	return number(word, value);
}

static bool path(const struct conf_word *word, enum inet_kind *kind)
{
	size_t i;

	for (i = 0; i < COUNT(paths); i++) {
		if (conf_same(word, paths[i].word)) {
			*kind = paths[i].kind;
			return true;
		}
	}
	return false;
}

static bool wrong(struct conf_fault *fault, const char *reason,
		  const struct conf_word *at)
{
	fault->reason = reason;
	if (at)
		fault->at = *at;
	return false;
}

static bool line(void *arg, const struct conf_word *word, unsigned int n,
		 struct conf_fault *fault)
{
	struct entry entry;
	unsigned int column;

	if (n < WORDS)
		return wrong(fault,
			     "too few words (write: family type protocol path), last is",
			     &word[n - 1]);
	if (n > WORDS)
		return wrong(fault,
			     "unexpected word after the path (# begins a comment):",
			     &word[WORDS]);
	for (column = FAMILY; column < PATH; column++)
		if (!key(column, &word[column], &entry.key[column]))
			return wrong(fault, unknown[column], &word[column]);
	if (!path(&word[PATH], &entry.kind))
		return wrong(fault,
			     "no sockets of this path (write /dev/streams/udp, udp6, tcp or tcp6, or - for the kernel's):",
			     &word[PATH]);
	/*
	 * Type numbers are not System V's: a line copied from there means
	 * another type.
	 */
	if (entry.kind != INET_NONE &&
	    inet_kind(entry.key[FAMILY], entry.key[TYPE], entry.key[PROTOCOL]) !=
	    entry.kind)
		return wrong(fault, misfit[entry.kind], &word[PATH]);
	if (entries == SOCK2PATH_MAX_LINES) {
		/* Only the first line too many is reported. */
		if (too_many)
			return true;
		too_many = true;
		return wrong(fault,
			     "more than 128 lines (leave out those of the kernel's own)",
			     NULL);
	}
	table[entries++] = entry;
	return true;
}

/**
 * sock2path_read - take the lines of a file
 * @path: the file
 * @report: called for each bad line; such a line counts as absent
 * @arg: handed to @report
 *
 * Return: as conf_read().
 */
int sock2path_read(const char *path, conf_report_fn *report, void *arg)
{
	entries = 0;
	too_many = false;
	return conf_read(path, line, NULL, report, arg);
}

static const struct entry *find(const struct entry *entry, unsigned int n,
				int family, int type, int protocol)
{
	for (; n--; entry++)
		if (entry->key[FAMILY] == family && entry->key[TYPE] == type &&
		    entry->key[PROTOCOL] == protocol)
			return entry;
	return NULL;
}

/**
 * sock2path_find - find whether a socket uses STREAMS
 * @family: as for socket()
 * @type: the same, without flags
 * @protocol: the same
 *
 * The first line that matches decides, then the built-in table.
 *
 * Return: its kind on STREAMS, or INET_NONE for the kernel's own.
 */
enum inet_kind sock2path_find(int family, int type, int protocol)
{
	const struct entry *entry;

	entry = find(table, entries, family, type, protocol);
	if (!entry)
		entry = find(defaults, COUNT(defaults), family, type, protocol);
	return entry ? entry->kind : INET_NONE;
}
