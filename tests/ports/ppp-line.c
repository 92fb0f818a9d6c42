/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ppp-line - two ends of a line, pppframe on one: the bytes on the line, and
 * the data read from it
 *
 * pipe() is strpipe(), as strport(7) says.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <poll.h>
#include <unistd.h>
#include <sys/types.h>
#include <sys/conf.h>
#include <sys/stropts.h>
#include <strsock.h>

#define	PPPF_BAD	(('P' << 8) | 1)
#define	PPPF_IDLE	(('P' << 8) | 2)
#define	PPPF_WAITS	(('P' << 8) | 3)

static void
fatal(char *what)
{
	perror(what);
	exit(1);
}

static int
control(int fd, int cmd, void *data, int len)
{
	struct strioctl ioc;
	int n;

	ioc.ic_cmd = cmd;
	ioc.ic_timout = INFTIM;
	ioc.ic_len = len;
	ioc.ic_dp = (char *)data;
	if ((n = ioctl(fd, I_STR, &ioc)) < 0)
		fatal("I_STR");
	return (n);
}

static int
bad_frames(int fd)
{
	return (control(fd, PPPF_BAD, NULL, 0));
}

int
main(void)
{
	static char text[] = "~hello";
	unsigned char frame[64];
	char buf[64];
	int fds[2], i, idle, n;

	if (strpipe(fds) < 0)
		fatal("pipe");
	if (ioctl(fds[0], I_PUSH, "pppframe") < 0)
		fatal("I_PUSH of pppframe");
	if (write(fds[0], text, strlen(text)) < 0 || (n = read(fds[1], frame, sizeof (frame))) < 0)
		fatal("frame");
	for (i = 0; i < n; i++)
		printf("%02x", frame[i]);
	printf("\n");

	/* There and back, in two parts */
	if (write(fds[1], frame, 3) < 0 || write(fds[1], frame + 3, n - 3) < 0 ||
	    (i = read(fds[0], buf, sizeof (buf))) < 0)
		fatal("payload");
	printf("%.*s\n", i, buf);

	/* The same with a byte changed is dropped, and counted. */
	frame[4] ^= 1;
	if (write(fds[1], frame, n) < 0)
		fatal("bad frame");
	while (bad_frames(fds[0]) < 1)
		(void) poll(NULL, 0, 1);
	printf("bad %d\n", bad_frames(fds[0]));

	/* The rest of this one does not come: it ends by the module's timeout. */
	idle = 50;
	(void) control(fds[0], PPPF_IDLE, &idle, sizeof (idle));
	if (write(fds[1], frame, 5) < 0)
		fatal("half a frame");
	while (bad_frames(fds[0]) < 2)
		(void) poll(NULL, 0, 10);
	printf("bad %d\n", bad_frames(fds[0]));

	/* Closed while a timeout is pending */
	idle = 600000;
	(void) control(fds[0], PPPF_IDLE, &idle, sizeof (idle));
	if (write(fds[1], frame, 5) < 0)
		fatal("half a frame");
	while (!control(fds[0], PPPF_WAITS, NULL, 0))
		(void) poll(NULL, 0, 1);
	return (0);
}
