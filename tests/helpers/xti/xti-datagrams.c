// SPDX-License-Identifier: GPL-2.0-only
/* xti-datagrams.c - XTI's datagrams, on /dev/streams/udp */
#include "xti-udp.h"

/* Datagrams of several sizes are sent both ways. */
static void all_sizes(int fd, struct sockaddr_in *mine, int sock, struct sockaddr_in *theirs)
{
	static const unsigned int sizes[] = { 0, 1, 1000, 1473, MAX };
	struct sockaddr_in from;
	socklen_t slen = sizeof(from);
	unsigned int i, len;
	int flags;

	for (i = 0; i < sizeof(big); i++)
		big[i] = i * 31 + i / 256;
	for (i = 0; i < COUNT(sizes); i++) {
		TIS(send_to(fd, theirs, big, sizes[i]), 0);
		IS(recvfrom(sock, got, sizeof(got), 0, (struct sockaddr *)&from, &slen), sizes[i]);
		TRUE(!memcmp(got, big, sizes[i]));
		IS(from.sin_port, mine->sin_port);
		IS(sendto(sock, big, sizes[i], 0, (struct sockaddr *)mine, sizeof(*mine)),
		   sizes[i]);
		memset(got, 0, sizeof(got));
		flags = -1;
		TIS(receive_from(fd, &from, got, sizeof(got), &len, &flags), 0);
		IS(len, sizes[i]);
		IS(flags, 0);
		TRUE(!memcmp(got, big, len));
		IS(from.sin_port, theirs->sin_port);
	}
}

static void not_sent(int fd, struct sockaddr_in *theirs)
{
	struct t_unitdata u = { .addr = netbuf(theirs, 16, 0), .udata = netbuf(big, 1, 1) };

	TFAILS(send_to(fd, theirs, big, MAX + 1), TBADDATA);
	TFAILS(t_sndudata(fd, &u), TBADADDR);
	u.addr = netbuf(big, 17, 17);
	TFAILS(t_sndudata(fd, &u), TBADADDR);
	u.addr = netbuf(theirs, 16, 16);
	u.opt = netbuf(big, 7, 7);
	TFAILS(t_sndudata(fd, &u), TBADOPT);
	u.opt.len = 513;
	TFAILS(t_sndudata(fd, &u), TBADOPT);
}

static void run_transfer(void)
{
	struct sockaddr_in mine, theirs, from;
	struct t_unitdata u = { .addr = netbuf(&theirs, 16, 0) };
	int fd = bound(&mine), sock = native(&theirs), flags;
	unsigned int len;

	all_sizes(fd, &mine, sock, &theirs);
	/* The datagram is read in parts; only the first part has the source. */
	IS(sendto(sock, "0123456789", 10, 0, (struct sockaddr *)&mine, sizeof(mine)), 10);
	IS(sendto(sock, "next", 4, 0, (struct sockaddr *)&mine, sizeof(mine)), 4);
	memset(&from, 0, sizeof(from));
	TIS(receive_from(fd, &from, got, 4, &len, &flags), 0);
	IS(len, 4);
	IS(flags, T_MORE);
	IS(from.sin_port, theirs.sin_port);
	TIS(t_look(fd), T_DATA);
	u.addr = netbuf(&from, 16, 5);
	u.udata = netbuf(got, 0, 9);
	TIS(t_rcvudata(fd, &u, &flags), 0);
	IS(u.udata.len, 0);
	IS(u.addr.len, 0);
	IS(flags, T_MORE);
	u.udata.maxlen = 6;
	TIS(t_rcvudata(fd, &u, &flags), 0);
	IS(u.udata.len, 6);
	IS(flags, 0);
	TRUE(!memcmp(got, "456789", 6));
	/* The address does not fit: all of the datagram is lost. */
	u.addr.maxlen = 15;
	u.udata.maxlen = 2;
	TFAILS(t_rcvudata(fd, &u, &flags), TBUFOVFLW);
	TIS(t_look(fd), 0);
	not_sent(fd, &theirs);
	TIS(t_close(fd), 0);
	close(sock);
}

static void run_vectors(void)
{
	struct sockaddr_in mine, theirs, from;
	struct t_unitdata u = { .addr = netbuf(&theirs, 16, 16) };
	struct t_unitdata r = { .addr = netbuf(&from, 16, 0) };
	struct t_iovec v[T_IOV_MAX + 1], in[3] = { { got, 3 }, { got + 100, 0 }, { got + 200, 5 } };
	int fd = bound(&mine), sock = native(&theirs), flags, i;

	for (i = 0; i <= T_IOV_MAX; i++)
		v[i] = (struct t_iovec){ big + i * 20, i % 2 ? 20 : 3 };
	for (i = 0; i < (int)sizeof(big); i++)
		big[i] = 'a' + i % 20;
	TIS(t_sndvudata(fd, &u, v, T_IOV_MAX), 0);
	IS(recv(sock, got, sizeof(got), 0), 8 * 23);
	for (i = 0; i < 8; i++)
		TRUE(!memcmp(got + i * 23, "abcabcdefghijklmnopqrst", 23));
	TFAILS(t_sndvudata(fd, &u, v, 0), TBADDATA);
	TFAILS(t_sndvudata(fd, &u, v, T_IOV_MAX + 1), TBADDATA);
	v[0].iov_len = MAX;
	v[1].iov_len = 1;
	TFAILS(t_sndvudata(fd, &u, v, 2), TBADDATA);
	v[1].iov_len = (size_t)-1;
	TFAILS(t_sndvudata(fd, &u, v, 2), TBADDATA);
	v[0].iov_len = 0;
	TIS(t_sndvudata(fd, &u, v, 1), 0);
	IS(recv(sock, got, sizeof(got), 0), 0);
	IS(sendto(sock, "abcdefghij", 10, 0, (struct sockaddr *)&mine, sizeof(mine)), 10);
	memset(got, 0, 300);
	TIS(t_rcvvudata(fd, &r, in, 3, &flags), 8);
	IS(flags, T_MORE);
	IS(from.sin_port, theirs.sin_port);
	TRUE(!memcmp(got, "abc", 4) && !got[100] && !memcmp(got + 200, "defgh", 6));
	TIS(t_rcvvudata(fd, &r, in, 3, &flags), 2);
	IS(flags, 0);
	IS(r.addr.len, 0);
	TFAILS(t_rcvvudata(fd, &r, in, 0, &flags), TBADDATA);
	TFAILS(t_rcvvudata(fd, &r, v, T_IOV_MAX + 1, &flags), TBADDATA);
	TIS(t_close(fd), 0);
	close(sock);
}

/*
 * A datagram to an unused address causes an error, which is returned before all
 * else.
 */
static void refused(int fd, struct sockaddr_in *to)
{
	TIS(send_to(fd, to, "anybody?", 8), 0);
	UNTIL(t_look(fd) == T_UDERR);
	TIS(t_look(fd), T_UDERR);
}

static void run_uderr(void)
{
	struct sockaddr_in mine, nobody, to;
	struct t_uderr e = { .addr = netbuf(&to, 16, 0), .opt = netbuf(got, 512, 5) };
	struct t_unitdata u = { .addr = netbuf(&nobody, 16, 16), .udata = netbuf(got, 5, 5) };
	struct t_iovec v = { got, 5 };
	int fd = bound(&mine), flags;
	unsigned int len;

	close(native(&nobody));
	TFAILS(t_rcvuderr(fd, &e), TNOUDERR);
	refused(fd, &nobody);
	TFAILS(receive_from(fd, &to, got, 10, &len, &flags), TLOOK);
	TFAILS(t_rcvvudata(fd, &u, &v, 1, &flags), TLOOK);
	TFAILS(send_to(fd, &mine, "x", 1), TLOOK);
	TFAILS(t_sndvudata(fd, &u, &v, 1), TLOOK);
	TIS(t_rcvuderr(fd, &e), 0);
	IS(e.error, ECONNREFUSED);
	IS(e.addr.len, 16);
	IS(to.sin_port, nobody.sin_port);
	IS(e.opt.len, 0);
	TIS(t_look(fd), 0);
	refused(fd, &nobody);
	e.addr.maxlen = 15;
	TFAILS(t_rcvuderr(fd, &e), TBUFOVFLW);
	TIS(t_look(fd), 0);
	refused(fd, &nobody);
	TIS(t_rcvuderr(fd, NULL), 0);
	TFAILS(t_rcvuderr(fd, NULL), TNOUDERR);
	/* The provider's error for a bad address is returned in the same way. */
	nobody.sin_family = AF_INET6;
	TIS(t_sndudata(fd, &u), 0);
	e.addr.maxlen = 16;
	TIS(t_rcvuderr(fd, &e), 0);
	IS(e.error, EINVAL);
	TIS(t_close(fd), 0);
}

static void run_waiting(void)
{
	struct sockaddr_in mine;
	int fd = bound(&mine), flags;
	unsigned int len;

	TINTERRUPTED(receive_from(fd, NULL, got, 10, &len, &flags));
	test_nonblock(fd, true);
	TFAILS(receive_from(fd, NULL, got, 10, &len, &flags), TNODATA);
	TIS(send_to(fd, &mine, "now", 3), 0);
	while (!t_look(fd))
		usleep(1000);
	TIS(receive_from(fd, NULL, got, 10, &len, &flags), 0);
	IS(len, 3);
	TFAILS(receive_from(fd, NULL, got, 10, &len, &flags), TNODATA);
	TIS(t_close(fd), 0);
}

static const struct test_case cases[] = {
	{ "transfer", run_transfer }, { "vectors", run_vectors }, { "uderr", run_uderr },
	{ "waiting", run_waiting },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
