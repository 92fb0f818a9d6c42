// SPDX-License-Identifier: GPL-2.0-only
/* dlpi-locks - data links whose modules send from where the kernel holds a lock */
#include <sys/wait.h>

#include "../../../kmod/test/testmux.h"
#include "dlpi-test.h"

#define FRAMES	2	/* that each process sends: few, as they never rest */
#define ROUNDS	200	/* more than were sent: they were sent on */

/* Every frame that is sent on one device is sent on the other one. */
static int turning(const char *from, const char *to)
{
	int up = open("/dev/streams/testmux", O_RDWR), fds[2], i, on = 1;
	struct strioctl turn = {
		.ic_cmd = TESTMUX_TURN, .ic_len = sizeof(on), .ic_dp = (char *)&on,
	};

	TRUE(up >= 0);
	fds[0] = raw_attached(from);
	fds[1] = raw_attached(to);
	IS(ASK(fds[0], DL_PROMISCON_REQ, DL_PROMISC_PHYS), DL_OK_ACK);
	TRUE(!ioctl(up, I_STR, &turn));
	for (i = 0; i < 2; i++) {
		TRUE(ioctl(up, I_LINK, fds[i]) > 0);
		close(fds[i]);
	}
	return up;
}

static void send_frames(const char *link)
{
	unsigned char frame[60] = "\xff\xff\xff\xff\xff\xff\2\0\0\0\0\1\x88\xb5";
	int fd = raw_attached(link), i;

	for (i = 0; i < FRAMES; i++)
		IS(write(fd, frame, sizeof(frame)), sizeof(frame));
	close(fd);
}

/*
 * Sends frames round a ring of devices. If they were sent under the lock of the
 * device that they come from, they would take both locks in both orders, and a
 * third lock would be refused.
 */
static void g_ring(void)
{
	int there, back, watch[2], status;
	pid_t pid;

	shell("ip link add ring0 type strlink && ip link add ring1 type strlink");
	shell("ip link set ring0 up && ip link set ring1 up");
	there = turning("ring0", "ring1");
	back = turning("ring1", "ring0");
	watch[0] = attached_by("ring0");
	watch[1] = attached_by("ring1");
	pid = fork();
	if (!pid) {
		send_frames("ring1");
		exit(0);
	}
	send_frames("ring0");
	waitpid(pid, &status, 0);
	IS(status, 0);
	UNTIL(get_statistics(watch[0]).dls_tx_frames >= ROUNDS &&
	      get_statistics(watch[1]).dls_tx_frames >= ROUNDS);
	close(there);
	close(back);
	close(watch[0]);
	close(watch[1]);
}

int main(int argc, char **argv)
{
	static const struct test_case groups[] = {
		{ "ring", g_ring },
		{ NULL, NULL }
	};

	return test_main(argc, argv, groups);
}
