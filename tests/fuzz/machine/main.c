// SPDX-License-Identifier: GPL-2.0-only
/*
 * calls - random calls of several processes and threads on STREAMS, in the machine
 *
 * Plays sequences (sequence.h) until a process does not end, the kernel's log has a
 * report, a promise is broken (oracle.h), or the requested number is played.
 */
#include <fcntl.h>
#include <getopt.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stropts.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <time.h>
#include <unistd.h>

#include "cover.h"
#include "faults.h"
#include "log.h"
#include "oracle.h"
#include "play.h"

#define KEPT		256	/* sequences that reached something new */

static unsigned long seed = 1;

static bool finding(const struct sequence *s, int only)
{
	printf("finding: calls --seed %lu%s%s --sequence %s\n", seed,
	       only < 0 ? "" : " --family ", only < 0 ? "" : families[only], s->name);
	return true;
}

/*
 * Plays new sequences and, where the kernel tells what is reached, as many that are
 * changed from those that reached something new.
 */
static bool play_many(unsigned long first, unsigned long n, int only, unsigned int seconds)
{
	static struct sequence kept[KEPT], s;
	unsigned long end = time(NULL) + seconds, i;
	unsigned int count = 0;

	for (i = first; i < first + n && (!seconds || (unsigned long)time(NULL) < end); i++) {
		struct draw d = { .state = seed * 7919 + i };
		bool changed = false;

		if (count && draw_below(&d, 2)) {
			s = kept[draw_below(&d, count < KEPT ? count : KEPT)];
			changed = sequence_change(&s, seed, i);
		}
		if (!changed)
			sequence_new(&s, seed, i, only);
		if (sequence_play(&s))
			return finding(&s, only);
		if (play_options.covered && cover_take())
			kept[count++ % KEPT] = s;
	}
	if (play_options.covered)
		printf("%u places reached, by %u of %lu sequences\n", cover_total(), count,
		       i - first);
	return false;
}

/* Plays one sequence several times, as the order of the threads differs. */
static bool play_one(const char *name, const char *keep, int only, unsigned long times)
{
	static struct sequence s;

	if (sequence_named(&s, seed, name, only)) {
		fprintf(stderr, "calls: no sequence is named '%s'\n", name);
		exit(2);
	}
	if (keep && sequence_keep(&s, keep)) {
		perror(keep);
		exit(2);
	}
	while (times--)
		if (sequence_play(&s))
			return finding(&s, only);
	return false;
}

static unsigned long number(const char *text)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (!*text || *end) {
		fprintf(stderr, "calls: '%s' is not a number\n", text);
		exit(2);
	}
	return n;
}

static int family_of(const char *name)
{
	int i;

	for (i = 0; i < FAMILIES; i++)
		if (!strcmp(families[i], name))
			return i;
	fprintf(stderr, "calls: no family is named '%s'\n", name);
	exit(2);
}

/* Limits the pages of pipes to a number that a user reaches. */
static void limit_pipes(void)
{
	FILE *file = fopen("/proc/sys/fs/pipe-user-pages-soft", "w");

	if (!file)
		return;
	fprintf(file, "%d", PIPE_PAGES);
	fclose(file);
}

static void prepare(void)
{
	static char name[] = "/tmp/calls-XXXXXX";

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	play_options.folder = mkdtemp(name);
	/* Addresses and names of its own; a machine without these has others. */
	if (unshare(CLONE_NEWNS | CLONE_NEWNET) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) || !play_options.folder ||
	    mount("calls", play_options.folder, "tmpfs", 0, "mode=777") || shared == MAP_FAILED) {
		perror("calls: it has to be root, in the machine");
		exit(2);
	}
	(void)!system("ip link set lo up");
	(void)!system("ip link add calls type dummy 2>/dev/null && ip link set calls up");
	(void)!system("ip addr add 10.99.0.1/24 dev calls 2>/dev/null");
	(void)!system("sysctl -qw vm.unprivileged_userfaultfd=1 2>/dev/null");
	/* It may be mounted already. */
	mount("none", "/sys/kernel/debug", "debugfs", 0, NULL);
	if (!faults_allow())
		printf("no memory fails: this kernel has no fault injection\n");
	play_options.covered = cover_open();
	if (!play_options.covered)
		printf("all sequences are new ones: this kernel has no KCOV\n");
	oracle_begin();
	limit_pipes();
	if (!log_open())
		printf("reports do not end the run: the kernel's log cannot be read\n");
}

static void usage(FILE *to)
{
	fputs("Usage: calls [OPTION...]\n"
	      "Makes random calls on STREAMS, in the virtual machine, as root.\n"
	      "  --seed N          seed of the sequences (1)\n"
	      "  --family NAME     the files that sequences begin with: pipes, devices,\n"
	      "                    transports, links, sockets, names (any)\n"
	      "  --sequences N     number of sequences, of 1200 calls each (50)\n"
	      "  --seconds S       end after S seconds (no limit)\n"
	      "  --first N         the number of the first sequence (0)\n"
	      "  --sequence NAME   play the one that a finding names, --sequences times\n"
	      "  --keep FILE       only those of its calls that are in FILE\n"
	      "  --list            print the calls of --sequence and do nothing\n"
	      "  --verbose         announce each sequence\n"
	      "The last line is \"N calls, M findings\"; the status is 1 if there is one.\n",
	      to);
}

static void list(const char *name, int only)
{
	static struct sequence s;

	if (!name || sequence_named(&s, seed, name, only)) {
		fputs("calls: --list takes --sequence NAME\n", stderr);
		exit(2);
	}
	sequence_print(&s);
}

/* The options that main() acts on */
static struct {
	const char *name, *keep;
	unsigned long first, n, seconds;
	int only;
	bool listed;
} chosen = { .n = 50, .only = -1 };

/* Reads the options. Returns the exit status if the program ends here, else -1. */
static int read_options(int argc, char **argv)
{
	static const struct option options[] = {
		{ "seed", required_argument, NULL, 's' },
		{ "family", required_argument, NULL, 'f' },
		{ "sequences", required_argument, NULL, 'n' },
		{ "seconds", required_argument, NULL, 't' },
		{ "first", required_argument, NULL, '1' },
		{ "sequence", required_argument, NULL, 'q' },
		{ "keep", required_argument, NULL, 'k' },
		{ "list", no_argument, NULL, 'l' },
		{ "verbose", no_argument, NULL, 'v' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) >= 0) {
		switch (c) {
		case 's':
			seed = number(optarg);
			break;
		case 'f':
			chosen.only = family_of(optarg);
			break;
		case 'n':
			chosen.n = number(optarg);
			break;
		case 't':
			chosen.seconds = number(optarg);
			break;
		case '1':
			chosen.first = number(optarg);
			break;
		case 'q':
			chosen.name = optarg;
			break;
		case 'k':
			chosen.keep = optarg;
			break;
		case 'l':
			chosen.listed = true;
			break;
		case 'v':
			play_options.announced = true;
			break;
		default:
			usage(c == 'h' ? stdout : stderr);
			return c == 'h' ? 0 : 2;
		}
	}
	return -1;
}

int main(int argc, char **argv)
{
	int found, status = read_options(argc, argv);

	if (status >= 0)
		return status;
	if (chosen.listed) {
		list(chosen.name, chosen.only);
		return 0;
	}
	prepare();
	found = chosen.name ?
		play_one(chosen.name, chosen.keep, chosen.only, chosen.n) :
		play_many(chosen.first, chosen.n, chosen.only, chosen.seconds);
	umount2(play_options.folder, MNT_DETACH);
	rmdir(play_options.folder);
	printf("%lu calls, %d findings\n", shared->calls, found);
	return found;
}
