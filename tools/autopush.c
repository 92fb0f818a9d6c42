// SPDX-License-Identifier: LGPL-2.1-or-later
/* autopush: says which modules are pushed when a device is opened */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stropts.h>
#include <sys/ioctl.h>
#include <sys/sad.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "options.h"

static const char help[] =
	"Usage: autopush -f FILE\n"
	"  or:  autopush -g -M DEVICE [-m MINOR]\n"
	"  or:  autopush -r -M DEVICE [-m MINOR]\n"
	"Say which modules are pushed when a STREAMS device is opened.\n"
	"\n"
	"  -f, --file=FILE     as FILE says; each line: major minor lastminor module...\n"
	"                      - as minor and lastminor: the device that major names;\n"
	"                      -1 as minor: all; 0 as lastminor: only this minor\n"
	"  -g, --get           show what is set for a device\n"
	"  -r, --remove        forget what is set for a device\n"
	"  -M, --major=DEVICE  its major number, or its name in /dev/streams\n"
	"  -m, --minor=MINOR   its minor number, for a DEVICE that is a number\n"
	"  -h, --help          print this help and exit\n"
	"  -V, --version       print the version and exit\n"
	"\n"
	"Exit status: 0, 1 if something could not be done, 2 for bad arguments.\n";

#define NOT_THERE \
	"no such device; is its kernel module loaded, see streams(4)?"

static int failed(const char *what)
{
	const char *why = strerror(errno);

	switch (errno) {
	case ENODEV:
		why = "nothing is set for this device";
		break;
	case EEXIST:
		why = "something is set already; autopush -r removes it";
		break;
	case EPERM:
		why = "only root, with CAP_SYS_ADMIN, may set and forget";
		break;
	case ENOSTR:
		why = "not a STREAMS device";
		break;
	case ERANGE:
		why = "not the first minor number of a range";
		break;
	}
	fprintf(stderr, "autopush: %s: %s\n", what, why);
	return 1;
}

static bool number(const char *text, long least, long *n)
{
	char *end;

	errno = 0;
	*n = strtol(text, &end, 0);
	return !errno && end != text && !*end && *n >= least && *n <= INT_MAX;
}

/*
 * Finds a device by its two numbers, or stores both numbers of a named one.
 * Returns EINVAL, ENOENT or 0.
 */
static int device(struct strapush *sap, const char *major, const char *minor)
{
	char path[PATH_MAX];
	struct stat st;
	long n;

	if (number(major, 0, &n)) {
		sap->sap_major = n;
		if (!minor || !number(minor, 0, &n))
			return EINVAL;
		sap->sap_minor = n;
		return 0;
	}
	if (minor || strchr(major, '/'))
		return EINVAL;
	snprintf(path, sizeof(path), "/dev/streams/%s", major);
	if (stat(path, &st) < 0 || !S_ISCHR(st.st_mode))
		return ENOENT;
	sap->sap_major = major(st.st_rdev);
	sap->sap_minor = minor(st.st_rdev);
	return 0;
}

/* Finds the device in the first three words of a line, as device() does. */
static int devices(struct strapush *sap, char *words[])
{
	long n;
	int err;

	sap->sap_cmd = SAP_ONE;
	if (!strcmp(words[1], "-") && !strcmp(words[2], "-"))
		return device(sap, words[0], NULL);
	if (!strcmp(words[1], "-1")) {
		sap->sap_cmd = SAP_ALL;
		return number(words[2], -1, &n) ?
		       device(sap, words[0], "0") : EINVAL;
	}
	err = device(sap, words[0], words[1]);
	if (err || !number(words[2], 0, &n))
		return EINVAL;
	if (n) {
		sap->sap_cmd = SAP_RANGE;
		sap->sap_lastminor = n;
	}
	return 0;
}

/* Returns the reason for which a line cannot be taken, or NULL. */
static const char *parse(char *line, struct strapush *sap)
{
	char *words[3 + MAXAPUSH], *word;
	int n = 0, i;

	memset(sap, 0, sizeof(*sap));
	while ((word = strsep(&line, " \t\n"))) {
		if (!*word)
			continue;
		if (n == 3 + MAXAPUSH)
			return "too many modules";
		words[n++] = word;
	}
	if (n < 4)
		return "needs major, minor, lastminor and a module";
	switch (devices(sap, words)) {
	case ENOENT:
		return NOT_THERE;
	case EINVAL:
		return "bad numbers, or a name without - -";
	}
	for (i = 3; i < n; i++) {
		if (strlen(words[i]) >= STRNAMESZ)
			return "a module's name is too long";
		strcpy(sap->sap_list[sap->sap_npush++], words[i]);
	}
	return NULL;
}

static int set_line(int sad, const char *path, int nr, char *line)
{
	char where[PATH_MAX + 32];
	struct strapush sap;
	const char *why;

	snprintf(where, sizeof(where), "%s:%d", path, nr);
	why = parse(line, &sap);
	if (why) {
		fprintf(stderr, "autopush: %s: %s\n", where, why);
		return 1;
	}
	if (ioctl(sad, SAD_SAP, &sap) == 0)
		return 0;
	if (errno == EINVAL) {
		fprintf(stderr,
			"autopush: %s: one of the modules cannot be found, or a number is out of range\n",
			where);
		return 1;
	}
	return failed(where);
}

/* Each line that can be carried out is carried out. */
static int set_file(int sad, const char *path)
{
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t size = 0;
	int nr = 0, err = 0;

	if (!file)
		return failed(path);
	while (getline(&line, &size, file) >= 0) {
		nr++;
		line[strcspn(line, "#")] = '\0';
		if (line[strspn(line, " \t\n")])
			err |= set_line(sad, path, nr, line);
	}
	if (ferror(file))
		err = failed(path);
	free(line);
	fclose(file);
	return err;
}

static int get(int sad, struct strapush *sap, const char *name)
{
	unsigned int i;

	if (ioctl(sad, SAD_GAP, sap) < 0)
		return failed(name);
	printf("%10s%10s%10s  %s\n", "Major", "Minor", "Lastminor", "Modules");
	printf("%10u", sap->sap_major);
	if (sap->sap_cmd == SAP_ALL)
		printf("%10s%10s ", "ALL", "-");
	else if (sap->sap_cmd == SAP_RANGE)
		printf("%10u%10u ", sap->sap_minor, sap->sap_lastminor);
	else
		printf("%10u%10s ", sap->sap_minor, "-");
	for (i = 0; i < sap->sap_npush; i++)
		printf(" %s", sap->sap_list[i]);
	putchar('\n');
	return 0;
}

static int forget(int sad, struct strapush *sap, const char *name)
{
	sap->sap_cmd = SAP_CLEAR;
	return ioctl(sad, SAD_SAP, sap) < 0 ? failed(name) : 0;
}

static int usage(void)
{
	fputs(help, stderr);
	return 2;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "file", required_argument, NULL, 'f' },
		{ "get", no_argument, NULL, 'g' },
		{ "remove", no_argument, NULL, 'r' },
		{ "major", required_argument, NULL, 'M' },
		{ "minor", required_argument, NULL, 'm' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ }
	};
	const char *file = NULL, *major = NULL, *minor = NULL;
	bool show = false, clear = false;
	struct strapush sap = { };
	int opt, sad, err;

	options_begin(argv);
	while ((opt = getopt_long(argc, argv, "f:grM:m:hV", options, NULL)) != -1) {
		switch (opt) {
		case 'f':
			file = optarg;
			break;
		case 'g':
			show = true;
			break;
		case 'r':
			clear = true;
			break;
		case 'M':
			major = optarg;
			break;
		case 'm':
			minor = optarg;
			break;
		case 'h':
			fputs(help, stdout);
			return 0;
		case 'V':
			return options_version();
		default:
			return usage();
		}
	}
	if (optind < argc || !!file + show + clear != 1 || !file != !!major ||
	    (file && minor))
		return usage();
	err = major ? device(&sap, major, minor) : 0;
	if (err) {
		fprintf(stderr, "autopush: %s: %s\n", major,
			err == ENOENT ? NOT_THERE :
			"a number needs -m MINOR, a name has none");
		return err == ENOENT ? 1 : 2;
	}
	sad = open(SAD_DEVICE, O_RDWR | O_CLOEXEC);
	if (sad < 0) {
		fprintf(stderr, "autopush: %s: %s%s\n", SAD_DEVICE,
			strerror(errno),
			errno == ENOENT || errno == ENXIO ?
			"; run: modprobe streams" : "");
		return 1;
	}
	if (file)
		return set_file(sad, file);
	return show ? get(sad, &sap, major) : forget(sad, &sap, major);
}
