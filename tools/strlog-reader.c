// SPDX-License-Identifier: LGPL-2.1-or-later
/* Code that the readers of the STREAMS log share: strtracelog(8), strerrlog(8) */
#include "strlog-reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stropts.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void explain_open(void)
{
	const char *hint = "";

	if (errno == ENOENT || errno == ENXIO || errno == ENODEV)
		hint = "; run: modprobe streams";
	fprintf(stderr, "%s: cannot open %s: %s%s\n",
		program_invocation_short_name, LOG_DEVICE, strerror(errno),
		hint);
}

static void explain_ioctl(void)
{
	const char *why = strerror(errno);

	switch (errno) {
	case EPERM:
		why = "not without CAP_SYSLOG; run it as root";
		break;
	case EBUSY:
		why = "another reader of errors runs, and there can be only one";
		break;
	}
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name,
		LOG_DEVICE, why);
}

int log_reader_open(int cmd, void *data, int len)
{
	struct strioctl ic = {
		.ic_cmd = cmd,
		.ic_len = len,
		.ic_dp = data,
	};
	int fd = open(LOG_DEVICE, O_RDWR | O_CLOEXEC);

	if (fd < 0) {
		explain_open();
		return -1;
	}
	if (ioctl(fd, I_STR, &ic) < 0) {
		explain_ioctl();
		close(fd);
		return -1;
	}
	return fd;
}

bool log_reader_next(int fd, struct log_record *record)
{
	struct strbuf ctl = {
		.maxlen = sizeof(record->ctl),
		.buf = (char *)&record->ctl,
	};
	struct strbuf data = {
		.maxlen = LOGMSGSZ,
		.buf = record->text,
	};
	int flags;

	do {
		flags = 0;
		if (getmsg(fd, &ctl, &data, &flags) < 0) {
			if (errno != EINTR)
				fprintf(stderr, "%s: cannot read %s: %s\n",
					program_invocation_short_name,
					LOG_DEVICE, strerror(errno));
			return false;
		}
		if (!ctl.len && !data.len) {
			fprintf(stderr, "%s: %s hung up\n",
				program_invocation_short_name, LOG_DEVICE);
			errno = ENXIO;
			return false;
		}
		/*
		 * A record without a whole header is the rest of a message that
		 * was too long.
		 */
	} while (ctl.len != (int)sizeof(record->ctl));
	record->text[data.len > 0 ? data.len : 0] = '\0';
	return true;
}

/* Returns the flags as letters, or "-". */
static const char *flag_letters(int flags, bool levels, char *letters)
{
	char *to = letters;

	/*
	 * The first letters say whether the message is also for another reader, and its
	 * severity.
	 */
	if (flags & (levels ? SL_ERROR : SL_TRACE))
		*to++ = levels ? 'E' : 'T';
	if (flags & SL_CONSOLE)
		*to++ = 'C';
	if (flags & SL_FATAL)
		*to++ = 'F';
	if (flags & SL_NOTIFY)
		*to++ = 'N';
	if (flags & SL_WARN)
		*to++ = 'W';
	if (to == letters)
		*to++ = '-';
	*to = '\0';
	return letters;
}

void log_reader_print(FILE *to, const struct log_record *record, bool levels)
{
	const struct log_ctl *ctl = &record->ctl;
	time_t at = ctl->ttime;
	char letters[8], clock[16] = "--:--:--";
	const char *c;
	struct tm tm;

	if (localtime_r(&at, &tm))
		strftime(clock, sizeof(clock), "%H:%M:%S", &tm);
	fprintf(to, "%06u %s %lld ", ctl->seq_no, clock, (long long)ctl->ltime);
	if (levels)
		fprintf(to, "%d ", ctl->level);
	fprintf(to, "%s %u %u ", flag_letters(ctl->flags, levels, letters),
		(uint16_t)ctl->mid, (uint16_t)ctl->sid);
	for (c = record->text; *c; c++) {
		if (*c >= ' ' && *c <= '~' && *c != '\\')
			fputc(*c, to);
		else
			fprintf(to, "\\x%02X", (unsigned char)*c);
	}
	fputc('\n', to);
}
