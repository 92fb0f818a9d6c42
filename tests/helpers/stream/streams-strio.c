// SPDX-License-Identifier: GPL-2.0-only
/*
 * streams-strio.c - functions of STRIO_GETMSG and STRIO_PUTMSG beyond getmsg()
 * and putmsg()
 */
#include "streams-message.h"

/*
 * Receives with STRIO_PEEKED a message that begins with a word, without
 * waiting.
 */
static int receive_peeked(int fd, int word, int flags)
{
	struct strio_msg msg = {
		.ctl = { .maxlen = sizeof(m.ctl), .buf = (uintptr_t)m.ctl },
		.data = { .maxlen = sizeof(m.data), .buf = (uintptr_t)m.data },
		.band = word, .flags = flags,
	};
	int more = ioctl(fd, STRIO_GETMSG, &msg);

	m.c.len = msg.ctl.len;
	m.d.len = msg.data.len;
	m.band = msg.band;
	m.flags = msg.flags;
	return more;
}

static int word_of(const char *text)
{
	int word;

	memcpy(&word, text, sizeof(word));
	return word;
}

static void peeked(void)
{
	int control = word_of("control"), c = word_of("c\0\0");

	pipe_make();
	/* The call does not wait even without O_NONBLOCK. */
	test_nonblock(fds[0], false);
	FAILS(receive_peeked(fds[0], control, STRIO_PEEKED), EAGAIN);
	FAILS(receive_peeked(fds[0], -1, STRIO_PEEKED), EAGAIN);
	IS(put_message(fds[1], "control", "data", 0), 0);
	FAILS(receive_peeked(fds[0], c, STRIO_PEEKED), EAGAIN);
	FAILS(receive_peeked(fds[0], -1, STRIO_PEEKED), EAGAIN);
	FAILS(receive_peeked(fds[0], 0, STRIO_PEEKED), EAGAIN);
	FAILS(receive_peeked(fds[0], control, STRIO_PEEKED | MSG_ANY), EINVAL);
	FAILS(receive_peeked(fds[0], 0, STRIO_PEEKED << 1), EINVAL);
	FAILS(receive_band(fds[0], control, STRIO_PEEKED), EINVAL);
	IS(receive_peeked(fds[0], control, STRIO_PEEKED), 0);
	TRUE(parts_are("control", "data"));
	IS(m.flags, MSG_BAND);
	IS(m.band, 0);
	/* The control part is shorter than a word, empty, or absent. */
	IS(send_band(fds[1], "c", NULL, 3, MSG_BAND), 0);
	IS(receive_peeked(fds[0], c, STRIO_PEEKED), 0);
	TRUE(parts_are("c", NULL));
	IS(m.band, 3);
	IS(put_message(fds[1], "", "data", 0), 0);
	FAILS(receive_peeked(fds[0], -1, STRIO_PEEKED), EAGAIN);
	IS(receive_peeked(fds[0], 0, STRIO_PEEKED), 0);
	TRUE(parts_are("", "data"));
	IS(put_message(fds[1], NULL, "data", 0), 0);
	FAILS(receive_peeked(fds[0], word_of("data"), STRIO_PEEKED), EAGAIN);
	IS(receive_peeked(fds[0], -1, STRIO_PEEKED), 0);
	TRUE(parts_are(NULL, "data"));
	/* A control part that begins with -1 does not match a missing one. */
	IS(put_message(fds[1], "\xff\xff\xff\xff", "data", 0), 0);
	FAILS(receive_peeked(fds[0], -1, STRIO_PEEKED), EAGAIN);
	IS(receive(fds[0], 0), 0);
	TRUE(parts_are("\xff\xff\xff\xff", "data"));
	/* A message has arrived before the call. */
	IS(put_message(fds[1], "control", NULL, 0), 0);
	IS(put_message(fds[1], "urgent", NULL, RS_HIPRI), 0);
	FAILS(receive_peeked(fds[0], control, STRIO_PEEKED), EAGAIN);
	IS(receive_peeked(fds[0], word_of("urgent"), STRIO_PEEKED), 0);
	IS(m.flags, MSG_HIPRI);
	IS(receive_peeked(fds[0], control, STRIO_PEEKED), 0);
	/* The end of file is not a message. */
	IS(put_message(fds[1], "last", NULL, 0), 0);
	close(fds[1]);
	IS(receive_peeked(fds[0], word_of("last"), STRIO_PEEKED), 0);
	FAILS(receive_peeked(fds[0], -1, STRIO_PEEKED), EAGAIN);
	IS(receive(fds[0], 0), 0);
	TRUE(parts_are("", ""));
}

/* Sends by the ioctl for putmsg(), with more flags than putmsg() has. */
static int send_how(int fd, const char *data, int flags, int word)
{
	struct strio_msg msg = {
		.ctl = { .maxlen = word, .len = 4, .buf = (uintptr_t)"ctl" },
		.data = { .len = strlen(data), .buf = (uintptr_t)data },
		.flags = flags,
	};

	return ioctl(fd, STRIO_PUTMSG, &msg);
}

/*
 * STRIO_PEEKED sends no data while a message waits that the sender has not
 * seen.
 */
static void guarded(void)
{
	static const char *const sent[] = { "again", "empty", "data", "it" };
	int control = word_of("control"), flags = MSG_BAND | STRIO_PEEKED, i;

	pipe_make();
	IS(send_how(fds[0], "empty", flags, control), 0);
	IS(put_message(fds[1], NULL, "data", 0), 0);
	IS(send_how(fds[0], "data", STRIO_PEEKED, control), 0);
	IS(receive(fds[0], 0), 0);
	IS(put_message(fds[1], "control", NULL, 0), 0);
	IS(send_how(fds[0], "it", flags, control), 0);
	FAILS(send_how(fds[0], "no", flags, -1), EBADMSG);
	FAILS(send_how(fds[0], "no", flags, word_of("c\0\0")), EBADMSG);
	IS(put_message(fds[1], "urgent", NULL, RS_HIPRI), 0);
	FAILS(send_how(fds[0], "no", flags, control), EBADMSG);
	IS(receive(fds[0], RS_HIPRI), 0);
	IS(send_how(fds[0], "again", MSG_HIPRI | STRIO_PEEKED, control), 0);
	FAILS(send_how(fds[0], "no", MSG_BAND | STRIO_ROOM << 1, control), EINVAL);
	/* The call sends the message, and no other. */
	for (i = 0; i < 4; i++) {
		IS(receive(fds[1], 0), 0);
		IS(m.d.len, strlen(sent[i]));
		IS(memcmp(m.data, sent[i], m.d.len), 0);
	}
	FAILS(receive(fds[1], 0), EAGAIN);
}

static void drain_all(int fd)
{
	test_nonblock(fd, true);
	while (receive(fd, 0) == 0)
		continue;
}

/* STRIO_NOWAIT never waits for room, STRIO_ROOM only waits for room. */
static void waiting_for_room(void)
{
	int now = MSG_BAND | STRIO_NOWAIT, room = MSG_BAND | STRIO_ROOM, n = 0;
	pthread_t thread;

	IS(strpipe(fds), 0);
	IS(send_how(fds[0], "", room, 0), 0);
	while (send_how(fds[0], "a message", now, 0) == 0)
		n++;
	FAILS(send_how(fds[0], "a message", now, 0), EAGAIN);
	TRUE(n > 1);
	test_nonblock(fds[0], true);
	FAILS(send_how(fds[0], "a message", room, 0), EAGAIN);
	test_nonblock(fds[0], false);
	FAILS(INTERRUPTED(send_how(fds[0], "a message", room, 0)), EINTR);
	thread = later(fds[1], drain_all);
	IS(send_how(fds[0], "a message", room, 0), 0);
	pthread_join(thread, NULL);
	/* The call has sent no data. */
	FAILS(receive(fds[1], 0), EAGAIN);
	IS(send_how(fds[0], "a message", now, 0), 0);
}

static const struct test_case cases[] = {
	{ "peeked", peeked },
	{ "guarded", guarded },
	{ "waits-for-room", waiting_for_room },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
