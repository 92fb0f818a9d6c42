// SPDX-License-Identifier: GPL-2.0-only
/*
 * tcp-endpoints.c - an endpoint of /dev/streams/tcp or tcp6, and a peer; the bytes
 * that the endpoint receives, and those that its peer does, are printed
 *
 * "tcp-endpoints CASE -1 PROTOCOL [SPELLING]": the protocol is that of the peer's socket, or
 * -1 for an endpoint. To a native socket all bytes pass by TCP.
 */
#include "tcp-ends.h"

#include <signal.h>
#include <sys/mman.h>

#define MUCH	400000

static const char *error_name(int error)
{
	return error ? strerrorname_np(error) : "none";
}

static void peer_send(int fd, const char *text)
{
	ssize_t len = strlen(text);

	TRUE((proto_b == ENDPOINT ? endpoint_put(fd, T_DATA_REQ, false, text, len) :
				    send(fd, text, len, 0)) == len);
}

/* Prints what one primitive says that has no data. */
static void say_prim(int fd, const char *name)
{
	struct t_discon discon = {};
	int event = 0;

	UNTIL((event = t_look(fd)));
	if (event == T_ORDREL) {
		TRUE(!t_rcvrel(fd));
		printf("%s: the end\n", name);
	} else if (event == T_DISCONNECT) {
		TRUE(!t_rcvdis(fd, &discon));
		printf("%s: reset, %s\n", name, error_name(discon.reason));
	} else {
		printf("%s: event %d\n", name, event);
	}
}

/* Prints how the connection ends for the peer, which has read all. */
static void say_peer_end(int fd)
{
	ssize_t n;

	if (proto_b == ENDPOINT) {
		say_prim(fd, "peer");
		return;
	}
	n = recv(fd, buf, sizeof(buf), 0);
	printf("peer: %s%s\n", n < 0 ? "reset, " : "the end", n < 0 ? error_name(errno) : "");
}

/* Receives and prints len bytes, however they are divided. */
static void say_bytes(int fd, int proto, const char *name, size_t len)
{
	size_t done = 0;
	int flags;

	while (done < len) {
		ssize_t n = proto == ENDPOINT ? t_rcv(fd, buf + done, len - done, &flags) :
						recv(fd, buf + done, len - done, 0);

		TRUE(n > 0);
		done += n;
	}
	printf("%s: %.*s\n", name, (int)len, buf);
}

static void ends(void)
{
	int fds[2];

	ends_connected(fds, true);
	peer_send(fds[1], "last words");
	end_shutdown(proto_b, fds[1]);
	say_bytes(fds[0], ENDPOINT, "endpoint", 10);
	say_prim(fds[0], "endpoint");
	TRUE(t_snd(fds[0], "the answer", 10, 0) == 10);
	TRUE(!t_sndrel(fds[0]));
	say_bytes(fds[1], proto_b, "peer", 10);
	say_peer_end(fds[1]);
	printf("state %d\n", t_getstate(fds[0]));
}

static void unread(void)
{
	static char much[MUCH];
	int fds[2];
	ssize_t n;

	ends_connected(fds, false);
	TRUE(t_snd(fds[0], "mine", 4, 0) == 4);
	/* More than the closed endpoint drops in place of a reader */
	for (size_t done = 0; done < sizeof(much); done += n) {
		size_t len = sizeof(much) - done;

		n = proto_b == ENDPOINT ?
		    endpoint_put(fds[1], T_DATA_REQ, false, much, len < TIDU ? len : TIDU) :
		    send(fds[1], much, len < 10000 ? len : 10000, 0);
		TRUE(n > 0);
	}
	say_bytes(fds[1], proto_b, "peer", 4);
	t_close(fds[0]);
	say_peer_end(fds[1]);
}

static void aborted(void)
{
	const struct linger at_once = { .l_onoff = 1 };
	int fds[2];

	ends_connected(fds, true);
	peer_send(fds[1], "last words");
	if (proto_b == ENDPOINT) {
		TRUE(!t_snddis(fds[1], NULL));
	} else {
		TRUE(!setsockopt(fds[1], SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)));
		close(fds[1]);
	}
	say_bytes(fds[0], ENDPOINT, "endpoint", 10);
	say_prim(fds[0], "endpoint");
	printf("state %d\n", t_getstate(fds[0]));
}

static void killed(void)
{
	_Atomic int *sent = mmap(NULL, sizeof(*sent), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int listener, fd;
	struct name at = end_listen(proto_a, &listener);
	pid_t pid = fork();

	TRUE(sent != MAP_FAILED);
	if (!pid) {
		fd = end_connect(proto_b, at);
		peer_send(fd, "last words");
		*sent = 1;
		for (;;)
			pause();
	}
	fd = end_accept(proto_a, listener);
	UNTIL(*sent);
	TRUE(!kill(pid, SIGKILL) && waitpid(pid, NULL, 0) == pid);
	say_bytes(fd, ENDPOINT, "endpoint", 10);
	say_prim(fd, "endpoint");
}

/* Urgent data is read in its place, and nothing else as urgent. */
static void urgent(void)
{
	int fds[2], got = 0;
	t_scalar_t type, last = 0;

	ends_connected(fds, true);
	peer_send(fds[1], "before ");
	if (proto_b == ENDPOINT)
		TRUE(endpoint_put(fds[1], T_EXDATA_REQ, false, "U", 1) == 1);
	else
		TRUE(send(fds[1], "U", 1, MSG_OOB) == 1);
	peer_send(fds[1], " behind");
	while (got < 15) {
		ssize_t n = endpoint_get(fds[0], &type, buf, 100);

		TRUE(n > 0);
		if (type != last)
			printf("%sprimitive %d: ", got ? "\n" : "", type);
		last = type;
		printf("%.*s", (int)n, buf);
		got += n;
	}
	printf("\n");
	peer_send(fds[1], "later");
	say_bytes(fds[0], ENDPOINT, "endpoint", 5);
	TRUE(t_snd(fds[0], "abc", 3, T_EXPEDITED) == 3);
	say_bytes(fds[1], proto_b, "peer", 2);
}

/* A sender is stopped by an endpoint that does not read, and continues when it does. */
static void flow(void)
{
	static char sent[1000];
	size_t total = 0, done = 0, i;
	int fds[2];
	ssize_t n;

	ends_connected(fds, true);
	TRUE(!fcntl(fds[1], F_SETFL, O_NONBLOCK));
	for (;;) {
		for (i = 0; i < sizeof(sent); i++)
			sent[i] = (total + i) % 251;
		n = proto_b == ENDPOINT ?
		    endpoint_put(fds[1], T_DATA_REQ, false, sent, sizeof(sent)) :
		    send(fds[1], sent, sizeof(sent), 0);
		if (n < 0)
			break;
		total += n;
	}
	SAY(errno == EAGAIN);
	SAY(total > 100000 && total < 64 << 20);
	while (done < total) {
		t_scalar_t type;

		n = endpoint_get(fds[0], &type, buf, 3000);
		TRUE(n > 0);
		for (i = 0; i < (size_t)n; i++)
			TRUE((unsigned char)buf[i] == (done + i) % 251);
		done += n;
	}
	SAY(poll_of(fds[1], POLLOUT, WAIT_LIMIT_MS));
	SAY(poll_of(fds[0], POLLIN, 0));
}

static void small(void)
{
	t_scalar_t type;
	int fds[2];

	ends_connected(fds, false);
	peer_send(fds[1], "0123456789");
	/* All have come, so that they are one message. */
	UNTIL(poll_of(fds[0], POLLIN, 0) > 0);
	for (int i = 0; i < 4; i++) {
		ssize_t n = endpoint_get(fds[0], &type, buf, 3);

		printf("primitive %d: %.*s\n", type, (int)n, buf);
	}
}

static void looks(void)
{
	int fds[2], flags;

	ends_connected(fds, true);
	SAY(poll_of(fds[0], POLLIN | POLLRDNORM, 0));
	SAY(t_look(fds[0]));
	for (int i = 0; i < 3; i++) {
		peer_send(fds[1], "text");
		SAY(poll_of(fds[0], POLLIN | POLLRDNORM, WAIT_LIMIT_MS));
		UNTIL(t_look(fds[0]) == T_DATA);
		SAY(t_rcv(fds[0], buf, 100, &flags));
		SAY(poll_of(fds[0], POLLIN | POLLRDNORM, 0));
		SAY(t_look(fds[0]));
	}
}

/* A reader sleeps before each message. */
static void sleeper(void)
{
	int fds[2], status;
	pid_t pid;

	ends_connected(fds, false);
	pid = fork();
	if (!pid) {
		for (int i = 0; i < 5; i++) {
			t_scalar_t type;
			ssize_t n = endpoint_get(fds[0], &type, buf, 100);

			TRUE(n == 5 && type == T_DATA_IND);
			TRUE(endpoint_put(fds[0], T_DATA_REQ, false, buf, n) == n);
		}
		exit(7);
	}
	for (int i = 0; i < 5; i++) {
		UNTIL(process_sleeps(pid));
		peer_send(fds[1], "wakes");
		say_bytes(fds[1], proto_b, "peer", 5);
	}
	TRUE(waitpid(pid, &status, 0) == pid);
	printf("status %#x\n", status);
}

/* Modules above an endpoint see the messages as ever; tirdwr makes bytes of them. */
static void modules(void)
{
	int fds[2];

	ends_connected(fds, true);
	TRUE(!ioctl(fds[0], I_PUSH, "nullmod"));
	peer_send(fds[1], "through nullmod");
	say_bytes(fds[0], ENDPOINT, "endpoint", 15);
	TRUE(!ioctl(fds[0], I_PUSH, "tirdwr"));
	peer_send(fds[1], "through tirdwr");
	SAY(read(fds[0], buf, 100));
	SAY(write(fds[0], "answer", 6));
	say_bytes(fds[1], proto_b, "peer", 6);
	end_shutdown(proto_b, fds[1]);
	SAY(read(fds[0], buf, 100));
}

/* T_MORE delays no byte for longer than the next one takes. */
static void more(void)
{
	int fds[2], i;

	ends_connected(fds, true);
	for (i = 0; i < 8; i++)
		TRUE(t_snd(fds[0], "more ", 5, i < 7 ? T_MORE : 0) == 5);
	say_bytes(fds[1], proto_b, "peer", 40);
}

int main(int argc, char **argv)
{
	static const struct same_case cases[] = {
		{ "ends", ends },
		{ "unread", unread },
		{ "aborted", aborted },
		{ "killed", killed },
		{ "urgent", urgent },
		{ "flow", flow },
		{ "small", small },
		{ "looks", looks },
		{ "sleeper", sleeper },
		{ "modules", modules },
		{ "more", more },
		{}
	};

	return same_main(argc, argv, cases);
}
