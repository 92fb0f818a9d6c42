// SPDX-License-Identifier: LGPL-2.1-or-later
/* strerrlog: keeps the errors in the STREAMS log, in a file for each day */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "options.h"
#include "strlog-reader.h"

#define LOG_DIR		"/var/log/streams"

static const char help[] =
	"Usage: strerrlog [-d FOLDER | -s]\n"
	"Store the errors that STREAMS modules and drivers log, until it is ended by a\n"
	"signal. Only one strerrlog can run at a time.\n"
	"\n"
	"  -d, --folder=FOLDER  append them to FOLDER/error.YYYY-MM-DD, by day; the\n"
	"                       default is " LOG_DIR ", which is made if need be\n"
	"  -s, --stdout         print them\n"
	"  -h, --help           print this help and exit\n"
	"  -V, --version        print the version and exit\n"
	"\n"
	"Each line: number, time, milliseconds since boot, flags, module, part and\n"
	"text. Exit status: 0 after a SIGTERM, SIGINT or SIGHUP, 1 if the log cannot be\n"
	"read or written, 2 for bad arguments.\n";

static volatile sig_atomic_t ended;

static void on_signal(int sig)
{
	ended = 1;
}

/* The output for errors: a day's file in a folder, or the standard output. */
struct sink {
	const char *folder;	/* NULL: the standard output */
	FILE *file;
	char day[16];		/* of the file */
};

static bool complain(const char *what, const char *path)
{
	fprintf(stderr, "strerrlog: cannot %s %s: %s\n", what, path,
		strerror(errno));
	return false;
}

/* Opens the file of the day that a message is of, unless it is open. */
static bool sink_open(struct sink *sink, const struct log_ctl *ctl)
{
	time_t at = ctl->ttime;
	char path[PATH_MAX], day[sizeof(sink->day)] = "";
	struct tm tm;
	int fd;

	if (!sink->folder)
		return true;
	if (localtime_r(&at, &tm))
		strftime(day, sizeof(day), "%F", &tm);
	if (sink->file && !strcmp(day, sink->day))
		return true;
	if (sink->file)
		fclose(sink->file);
	strcpy(sink->day, day);
	snprintf(path, sizeof(path), "%s/error.%s", sink->folder, day);
	fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
		  0640);
	sink->file = fd < 0 ? NULL : fdopen(fd, "a");
	return sink->file || complain("open", path);
}

/* Writes a record; lost: the number of records that were lost before it. */
static bool sink_write(struct sink *sink, const struct log_record *record,
		       unsigned int lost)
{
	if (!sink_open(sink, &record->ctl))
		return false;
	if (lost)
		fprintf(sink->file, "%u errors were lost here\n", lost);
	log_reader_print(sink->file, record, false);
	/* The file is written at once, because an error may be followed by a worse one. */
	if (fflush(sink->file) || ferror(sink->file))
		return complain("write to", sink->folder ?: "standard output");
	return true;
}

/*
 * Keeps records until a signal. The signals that end the program are delivered
 * only while it waits.
 */
static int keep(int fd, struct sink *sink, const sigset_t *waiting)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	struct log_record record;
	unsigned int last = 0;
	bool first = true;

	while (!ended) {
		unsigned int lost;

		if (ppoll(&p, 1, NULL, waiting) < 0)
			continue;
		if (!log_reader_next(fd, &record))
			return 1;
		lost = first ? 0 : record.ctl.seq_no - last - 1;
		first = false;
		last = record.ctl.seq_no;
		if (!sink_write(sink, &record, lost))
			return 1;
	}
	return 0;
}

static void catch(int sig, sigset_t *set)
{
	struct sigaction sa = { .sa_handler = on_signal };

	sigaction(sig, &sa, NULL);
	sigaddset(set, sig);
}

static bool make_folder(const char *folder, bool given)
{
	struct stat st;

	if (!given && mkdir(folder, 0755) < 0 && errno != EEXIST)
		return complain("make", folder);
	if (strlen(folder) > PATH_MAX - 32)
		errno = ENAMETOOLONG;
	else if (stat(folder, &st) == 0 && !S_ISDIR(st.st_mode))
		errno = ENOTDIR;
	else if (access(folder, W_OK | X_OK) == 0)
		return true;
	return complain("write in", folder);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "folder", required_argument, NULL, 'd' },
		{ "stdout", no_argument, NULL, 's' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ }
	};
	sigset_t ending, waiting;
	struct sink sink = { };
	const char *folder = NULL;
	bool print = false;
	int opt, fd;

	options_begin(argv);
	while ((opt = getopt_long(argc, argv, "d:shV", options, NULL)) != -1) {
		switch (opt) {
		case 'd':
			folder = optarg;
			break;
		case 's':
			print = true;
			break;
		case 'h':
			fputs(help, stdout);
			return 0;
		case 'V':
			return options_version();
		default:
			fputs("Try 'strerrlog --help'.\n", stderr);
			return 2;
		}
	}
	if (optind < argc || (folder && print) || (folder && !*folder)) {
		fputs("strerrlog: one of -d FOLDER and -s, no arguments; see strerrlog --help\n",
		      stderr);
		return 2;
	}
	if (print)
		sink.file = stdout;
	else
		sink.folder = folder ?: LOG_DIR;
	if (sink.folder && !make_folder(sink.folder, folder))
		return 1;
	fd = log_reader_open(I_ERRLOG, NULL, 0);
	if (fd < 0)
		return 1;
	sigemptyset(&ending);
	catch(SIGTERM, &ending);
	catch(SIGINT, &ending);
	catch(SIGHUP, &ending);
	sigprocmask(SIG_BLOCK, &ending, &waiting);
	return keep(fd, &sink, &waiting);
}
