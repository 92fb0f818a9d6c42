// SPDX-License-Identifier: GPL-2.0-only
/* timod.c - the ioctls of timod, over UDP and the loopback transports */
#include "tpi-loop.h"

#include <netinet/in.h>
#include <stdatomic.h>
#include <sys/timod.h>

#include "../../../kmod/test/strprobe.h"

#include "compat.h"

/* The structure of <xti.h> */
struct netbuf {
	unsigned int maxlen;
	unsigned int len;
	void *buf;
};

static int pushed(const char *device)
{
	int fd = endpoint(device);

	IS(ioctl(fd, I_PUSH, "timod"), 0);
	return fd;
}

/*
 * Sends out's contents by I_STR; the answer is stored in in.ctl, its length in
 * in.ctl_len.
 */
static int command_for(int fd, int cmd, int len, int timeout)
{
	struct strioctl ic = {
		.ic_cmd = cmd, .ic_len = len, .ic_timout = timeout,
		.ic_dp = in.ctl,
	};
	int ret;

	memcpy(in.ctl, out.bytes, len);
	ret = ioctl(fd, I_STR, &ic);
	in.ctl_len = ic.ic_len;
	return ret;
}

static int command(int fd, int cmd, int len)
{
	return command_for(fd, cmd, len, 0);
}

static int bind_command(int fd, const char *addr, int len, int qlen)
{
	out.prim.bind_req = (struct T_bind_req){
		T_BIND_REQ, len, sizeof(out.prim.bind_req), qlen
	};
	if (len < 0)
		len = 0;
	memcpy(out.bytes + sizeof(out.prim.bind_req), addr, len);
	return command(fd, TI_BIND, sizeof(out.prim.bind_req) + len);
}

static int type_command(int fd, int cmd, int type)
{
	memset(&out.prim, 0, sizeof(out.prim));
	out.prim.type = type;
	return command(fd, cmd, sizeof(out.prim.type));
}

/* Each ioctl returns the answer that the primitive would have had. */
static void run_ioctls(void)
{
	int fd = pushed(TICOTSORD), other = pushed(TICOTSORD);
	struct T_opthdr *oh = (struct T_opthdr *)(out.bytes + 16);

	IS(type_command(fd, TI_GETINFO, T_INFO_REQ), 0);
	IS(in.ctl_len, sizeof(struct T_info_ack));
	IS(in.prim.type, T_INFO_ACK);
	IS(in.prim.info_ack.SERV_type, T_COTS_ORD);
	IS(in.prim.info_ack.CURRENT_state, TS_UNBND);
	IS(bind_command(fd, "timod's", 7, 4), 0);
	IS(in.prim.type, T_BIND_ACK);
	IS(in.prim.bind_ack.CONIND_number, 4);
	has_bytes(in.prim.bind_ack.ADDR_offset, in.prim.bind_ack.ADDR_length,
		  "timod's");
	IS(type_command(fd, TI_SYNC, T_INFO_REQ), 0);
	IS(in.ctl_len, sizeof(struct T_info_ack));
	IS(in.prim.info_ack.CURRENT_state, TS_IDLE);
	IS(type_command(fd, TI_GETADDRS, T_ADDR_REQ), 0);
	IS(in.prim.type, T_ADDR_ACK);
	has_bytes(in.prim.addr_ack.LOCADDR_offset,
		  in.prim.addr_ack.LOCADDR_length, "timod's");
	IS(in.prim.addr_ack.REMADDR_length, 0);
	out.prim.capability_req = (struct T_capability_req){
		T_CAPABILITY_REQ, TC1_INFO | TC1_ACCEPTOR_ID
	};
	IS(command(fd, TI_CAPABILITY, sizeof(out.prim.capability_req)), 0);
	IS(in.ctl_len, sizeof(struct T_capability_ack));
	IS(in.prim.capability_ack.CAP_bits1, TC1_INFO | TC1_ACCEPTOR_ID);
	TRUE(in.prim.capability_ack.ACCEPTOR_id != 0);
	out.prim.optmgmt_req = (struct T_optmgmt_req){
		T_OPTMGMT_REQ, sizeof(*oh), 16, T_CURRENT
	};
	*oh = (struct T_opthdr){ sizeof(*oh), XTI_GENERIC, XTI_RCVBUF, 0 };
	IS(command(fd, TI_OPTMGMT, 16 + sizeof(*oh)), 0);
	IS(in.prim.type, T_OPTMGMT_ACK);
	IS(in.prim.optmgmt_ack.MGMT_flags, T_SUCCESS);
	IS(in.prim.optmgmt_ack.OPT_length, sizeof(*oh) + 4);

	/* The error of a T_ERROR_ACK is the return value. */
	IS(bind_command(fd, "timod's", 7, 0), TOUTSTATE);
	IS(bind_command(other, "timod's", 7, 0), TADDRBUSY);
	IS(bind_command(other, "", -1, 0), TBADADDR);
	out.prim.optmgmt_req.MGMT_flags = 0x8000;
	out.prim.type = T_OPTMGMT_REQ;
	IS(command(fd, TI_OPTMGMT, 16), TBADFLAG);
	IS(type_command(fd, TI_UNBIND, T_UNBIND_REQ), 0);
	IS(in.ctl_len, sizeof(struct T_ok_ack));
	IS(in.prim.type, T_OK_ACK);
	IS(in.prim.ok_ack.CORRECT_prim, T_UNBIND_REQ);
	IS(type_command(fd, TI_UNBIND, T_UNBIND_REQ), TOUTSTATE);
	receive_none(fd);
	close(fd);
	close(other);
}

/* Data that is not the ioctl's primitive does not reach the provider. */
static void run_invalid(void)
{
	static const struct {
		int cmd, type, size;
	} commands[] = {
		{ TI_GETINFO, T_INFO_REQ, sizeof(struct T_info_req) },
		{ TI_SYNC, T_INFO_REQ, sizeof(struct T_info_req) },
		{ TI_GETADDRS, T_ADDR_REQ, sizeof(struct T_addr_req) },
		{ TI_UNBIND, T_UNBIND_REQ, sizeof(struct T_unbind_req) },
		{ TI_BIND, T_BIND_REQ, sizeof(struct T_bind_req) },
		{ TI_OPTMGMT, T_OPTMGMT_REQ, sizeof(struct T_optmgmt_req) },
		{ TI_CAPABILITY, T_CAPABILITY_REQ,
		  sizeof(struct T_capability_req) },
	};
	int fd = pushed(TICOTS);
	unsigned int i;

	for (i = 0; i < COUNT(commands); i++) {
		out.prim.type = commands[i].type;
		FAILS(command(fd, commands[i].cmd, commands[i].size - 1), EINVAL);
		FAILS(command(fd, commands[i].cmd, 0), EINVAL);
		out.prim.type = T_DATA_REQ;
		FAILS(command(fd, commands[i].cmd, commands[i].size), EINVAL);
		/* An ioctl by itself is transparent, which timod's are not. */
		FAILS(ioctl(fd, commands[i].cmd, &out), EINVAL);
	}
	FAILS(command(fd, TI_GETMYNAME, 16), EINVAL);
	FAILS(command(fd, TI_GETPEERNAME, 16), EINVAL);
	/*
	 * An unknown ioctl is passed on to the provider, which does not know it
	 * either.
	 */
	FAILS(command(fd, TIMOD | 139, 4), EINVAL);
	FAILS(ioctl(fd, TIMOD | 151, &out), EINVAL);
	IS(type_command(fd, TI_GETINFO, T_INFO_REQ), 0);
	close(fd);
}

/* Asks for a name. Returns its length, or -1. */
static int name(int fd, int cmd, void *buf, int maxlen)
{
	struct netbuf n = { .maxlen = maxlen, .len = 4711, .buf = buf };
	int ret = ioctl(fd, cmd, &n);

	return ret ? ret : (int)n.len;
}

static void run_names(void)
{
	int a = bound(TICOTSORD, "caller", 0), l = bound(TICOTSORD, "listener", 1);
	char buf[32];
	int seq, fd;

	call(a, "listener");
	seq = called(l);
	send_conn_res(l, acceptor_id(l), seq, NULL);
	receive_ok(l, T_CONN_RES);
	receive_prim(a, T_CONN_CON);
	IS(ioctl(a, I_PUSH, "timod"), 0);
	IS(name(a, TI_GETMYNAME, buf, sizeof(buf)), 6);
	TRUE(!memcmp(buf, "caller", 6));
	IS(name(a, TI_GETPEERNAME, buf, sizeof(buf)), 8);
	TRUE(!memcmp(buf, "listener", 8));
	IS(name(a, TI_GETPEERNAME, buf, 8), 8);
	FAILS(name(a, TI_GETPEERNAME, buf, 7), ENAMETOOLONG);
	FAILS(name(a, TI_GETMYNAME, BAD_POINTER, 32), EFAULT);
	FAILS(ioctl(a, TI_GETMYNAME, BAD_POINTER), EFAULT);
	FAILS(ioctl(a, TI_GETMYNAME, NULL), EFAULT);
	IS(name(a, TI_GETMYNAME, buf, sizeof(buf)), 6);
	close(l);
	receive_discon(a, ECONNRESET, -1);
	FAILS(name(a, TI_GETPEERNAME, buf, sizeof(buf)), ENOTCONN);
	close(a);
	fd = pushed(TICOTS);
	IS(name(fd, TI_GETMYNAME, buf, 0), 0);
	FAILS(name(fd, TI_GETPEERNAME, buf, sizeof(buf)), ENOTCONN);
	close(fd);
}

/* A 32-bit program's ioctls work the same way. */
static void run_names32(void)
{
#ifdef __x86_64__
	struct { unsigned int maxlen, len, buf; } *n = low_memory();
	int fd = bound(TICOTS, "thirty-two", 0);
	char *buf = (char *)(n + 1);

	IS(ioctl(fd, I_PUSH, "timod"), 0);
	n->maxlen = 32;
	n->buf = low(buf);
	IS(ioctl32(fd, TI_GETMYNAME, low(n)), 0);
	IS(n->len, 10);
	TRUE(!memcmp(buf, "thirty-two", 10));
	FAILS(ioctl32(fd, TI_GETPEERNAME, low(n)), ENOTCONN);
	n->maxlen = 9;
	FAILS(ioctl32(fd, TI_GETMYNAME, low(n)), ENAMETOOLONG);
	n->maxlen = 32;
	n->buf = 16;
	FAILS(ioctl32(fd, TI_GETMYNAME, low(n)), EFAULT);
	close(fd);
#endif
}

/* All other messages pass both ways, and so do the user's own primitives. */
static void run_passing(void)
{
	int fds[2], i;

	connected(TICOTSORD, fds);
	for (i = 0; i < 2; i++)
		IS(ioctl(fds[i], I_PUSH, "timod"), 0);
	IS(put_data(fds[0], T_DATA_REQ, "data", 4, 0), 0);
	IS(type_command(fds[0], TI_GETINFO, T_INFO_REQ), 0);
	IS(in.prim.info_ack.CURRENT_state, TS_DATA_XFER);
	receive_prim(fds[1], T_DATA_IND);
	has_data("data");
	IS(state_of(fds[1]), TS_DATA_XFER);
	send_ordrel(fds[0]);
	receive_prim(fds[1], T_ORDREL_IND);
	IS(ioctl(fds[0], I_FLUSH, FLUSHRW), 0);
	IS(type_command(fds[0], TI_GETINFO, T_INFO_REQ), 0);
	IS(in.prim.info_ack.CURRENT_state, TS_WIND_ORDREL);
	close(fds[1]);
	receive_discon(fds[0], ECONNRESET, -1);
	for (i = 0; i < 10; i++) {
		IS(ioctl(fds[0], I_POP, 0), 0);
		IS(ioctl(fds[0], I_PUSH, "timod"), 0);
	}
	IS(type_command(fds[0], TI_UNBIND, T_UNBIND_REQ), 0);
	close(fds[0]);
}

/* The provider of UDP answers later. */
static void run_udp(void)
{
	struct sockaddr_in sin = { .sin_family = AF_INET }, got;
	int fd = pushed("/dev/streams/udp"), i;

	sin.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	for (i = 0; i < 20; i++) {
		IS(bind_command(fd, (char *)&sin, sizeof(sin), 0), 0);
		IS(in.prim.bind_ack.ADDR_length, sizeof(sin));
		memcpy(&got, in.ctl + in.prim.bind_ack.ADDR_offset, sizeof(got));
		TRUE(got.sin_port);
		IS(name(fd, TI_GETMYNAME, &got, sizeof(got)), sizeof(got));
		IS(got.sin_addr.s_addr, sin.sin_addr.s_addr);
		IS(type_command(fd, TI_UNBIND, T_UNBIND_REQ), 0);
	}
	IS(bind_command(fd, (char *)&sin, 15, 0), TBADADDR);
	close(fd);
}

/*
 * Returns the messages that the test driver has received since the last look.
 */
static struct strprobe look(int fd)
{
	struct strprobe seen;
	struct strioctl ic = { .ic_cmd = STRPROBE_LOOK, .ic_dp = (char *)&seen };

	IS(ioctl(fd, I_STR, &ic), 0);
	return seen;
}

/* Makes the test driver send up a message. */
static int send_up(int fd, unsigned char type, const void *body, int len)
{
	char data[300] = { type };
	struct strioctl ic = {
		.ic_cmd = STRPROBE_SEND, .ic_len = len + 3, .ic_dp = data,
	};

	memcpy(data + 3, body, len);
	return ioctl(fd, I_STR, &ic);
}

/*
 * A provider does not answer: the ioctl times out, the next one does not
 * receive the first one's answer, and a flush or a pop ends the request.
 */
static void run_silent(void)
{
	struct T_info_ack ack = { .PRIM_type = T_INFO_ACK, .ADDR_size = 99 };
	struct T_error_ack error = { T_ERROR_ACK, T_INFO_REQ, 0x123, 0 };
	int fd = pushed("/dev/streams/strprobe");
	enum { M_PCPROTO = 0x83, M_HANGUP = 0x89, M_ERROR = 0x8a };

	out.prim.type = T_INFO_REQ;
	FAILS(command_for(fd, TI_GETINFO, 4, 1), ETIME);
	IS(look(fd).type, M_PCPROTO);
	/* The old request is still pending. */
	FAILS(command_for(fd, TI_GETINFO, 4, 1), EAGAIN);
	FAILS(name(fd, TI_GETMYNAME, &ack, sizeof(ack)), EAGAIN);
	/* The late answer arrives, and is dropped. */
	IS(send_up(fd, M_PCPROTO, &ack, sizeof(ack)), 0);
	receive_none(fd);
	/* An answer without a request passes. */
	IS(send_up(fd, M_PCPROTO, &ack, sizeof(ack)), 0);
	receive_prim(fd, T_INFO_ACK);
	FAILS(command_for(fd, TI_GETINFO, 4, 1), ETIME);
	IS(send_up(fd, M_PCPROTO, &error, sizeof(error)), 0);
	receive_none(fd);
	/* A flush may have dropped the request: the next ioctl may try. */
	FAILS(command_for(fd, TI_GETINFO, 4, 1), ETIME);
	IS(ioctl(fd, I_FLUSH, FLUSHW), 0);
	FAILS(command_for(fd, TI_GETINFO, 4, 1), ETIME);
	FAILS(command_for(fd, TI_GETINFO, 4, 1), EAGAIN);
	IS(ioctl(fd, I_POP, 0), 0);
	IS(ioctl(fd, I_PUSH, "timod"), 0);
	FAILS(command_for(fd, TI_GETINFO, 4, 1), ETIME);
	send_up(fd, M_ERROR, &(char){ EPROTO }, 1);
	FAILS(command_for(fd, TI_GETINFO, 4, 1), EPROTO);
	close(fd);
	fd = pushed("/dev/streams/strprobe");
	out.prim.type = T_INFO_REQ;
	FAILS(command_for(fd, TI_GETINFO, 4, 1), ETIME);
	send_up(fd, M_HANGUP, "", 0);
	FAILS(command_for(fd, TI_GETINFO, 4, 1), ENXIO);
	close(fd);
}

/*
 * The other end of a pipe acts as the provider: one answer, with that much
 * data.
 */
struct answer {
	int fd;
	int data_len;
};

static void *answers(void *arg)
{
	static char data[TI_ANSWER_MAX];
	static union { struct T_info_ack ack; char bytes[1024]; } ctl = {
		.ack.PRIM_type = T_INFO_ACK,
	};
	const struct answer *a = arg;
	t_scalar_t type = 0;
	struct strbuf c = { .maxlen = sizeof(type), .buf = (char *)&type };
	int flags = 0;

	IS(getmsg(a->fd, &c, NULL, &flags), 0);
	IS(type, T_INFO_REQ);
	c = (struct strbuf){ .len = sizeof(ctl), .buf = ctl.bytes };
	IS(putmsg(a->fd, &c, &(struct strbuf){ .len = a->data_len, .buf = data },
		  RS_HIPRI), 0);
	return NULL;
}

/* An answer longer than any caller has room for is an error. */
static void run_long(void)
{
	static char room[2 * TI_ANSWER_MAX];
	struct answer a = { .data_len = TI_ANSWER_MAX };
	struct strioctl ic = { .ic_cmd = TI_GETINFO, .ic_timout = WAIT_SECONDS, .ic_dp = room };
	t_scalar_t type = T_INFO_REQ;
	pthread_t t;
	int fds[2], i;

	IS(strpipe(fds), 0);
	IS(ioctl(fds[0], I_PUSH, "timod"), 0);
	a.fd = fds[1];
	memset(room, '#', sizeof(room));
	IS(pthread_create(&t, NULL, answers, &a), 0);
	memcpy(room, &type, sizeof(type));
	ic.ic_len = sizeof(type);
	FAILS(ioctl(fds[0], I_STR, &ic), EPROTO);
	pthread_join(t, NULL);
	for (i = sizeof(type); i < (int)sizeof(room); i++)
		if (room[i] != '#')
			break;
	IS(i, sizeof(room));
	/* The next answer, of a valid size, is the ioctl's. */
	a.data_len = 1000;
	IS(pthread_create(&t, NULL, answers, &a), 0);
	ic.ic_len = sizeof(type);
	IS(ioctl(fds[0], I_STR, &ic), 0);
	pthread_join(t, NULL);
	IS(ic.ic_len, 2024);
	memcpy(&type, room, sizeof(type));
	IS(type, T_INFO_ACK);
	close(fds[0]);
	close(fds[1]);
}

/*
 * A provider, played by the other end of a pipe, refuses all requests for a
 * primitive.
 */
struct refuser {
	int fd;
	t_scalar_t prim;
	atomic_bool done;
};

/* Answers of high priority that belong to no request do not accumulate. */
static void *refuses(void *arg)
{
	struct refuser *r = arg;
	struct T_error_ack error = { T_ERROR_ACK, r->prim, TOUTSTATE, 0 };
	struct strbuf ctl = { .len = sizeof(error), .buf = (char *)&error };

	while (!atomic_load(&r->done)) {
		IS(putmsg(r->fd, &ctl, NULL, RS_HIPRI), 0);
		sched_yield();
	}
	return NULL;
}

static int ask(int fd, t_scalar_t prim)
{
	char addr[16];

	switch (prim) {
	case T_BIND_REQ:
		out.prim.bind_req = (struct T_bind_req){ T_BIND_REQ, 0, 0, 0 };
		return command(fd, TI_BIND, 1024);
	case T_UNBIND_REQ:
		return type_command(fd, TI_UNBIND, T_UNBIND_REQ);
	default:
		return name(fd, TI_GETMYNAME, addr, sizeof(addr));
	}
}

/*
 * Counts the requests that are sent, while an answer comes to each, until
 * EAGAIN.
 */
static int asked(int fd, int refuser, t_scalar_t prim, int most)
{
	struct refuser r = { .fd = refuser, .prim = prim };
	int n = 0, error;
	pthread_t t;

	IS(pthread_create(&t, NULL, refuses, &r), 0);
	while (n <= most && ask(fd, prim) == TOUTSTATE)
		n++;
	error = errno;
	atomic_store(&r.done, true);
	pthread_join(t, NULL);
	printf("primitive %d: %d\n", prim, n);
	TRUE(n <= most);
	IS(error, EAGAIN);
	return n;
}

/* Requests obey flow control, and are no longer than putmsg() takes. */
static void run_room(void)
{
	static const t_scalar_t prims[] = { T_BIND_REQ, T_UNBIND_REQ, T_ADDR_REQ };
	unsigned int i;
	int fds[2];

	for (i = 0; i < COUNT(prims); i++) {
		/*
		 * Each message counts at least its bytes, or those of its
		 * object.
		 */
		int least = prims[i] == T_BIND_REQ ? 1024 : 256, n;

		IS(strpipe(fds), 0);
		IS(ioctl(fds[0], I_PUSH, "timod"), 0);
		n = asked(fds[0], fds[1], prims[i], 1000);
		TRUE(n > 16 && n <= 65536 / least + 16);
		/* When there is room again the answers are sent. */
		IS(ioctl(fds[1], I_SRDOPT, RMSGN | RPROTDAT), 0);
		test_nonblock(fds[1], true);
		while (read(fds[1], out.bytes, sizeof(out.bytes)) > 0)
			;
		test_nonblock(fds[1], false);
		IS(asked(fds[0], fds[1], prims[i], 1000), n);
		close(fds[0]);
		close(fds[1]);
	}
	fds[0] = pushed("/dev/streams/echo");
	asked(fds[0], fds[0], T_BIND_REQ, 200);
	out.prim.bind_req = (struct T_bind_req){ T_BIND_REQ, 0, 0, 0 };
	FAILS(command(fds[0], TI_BIND, 1025), ERANGE);
	close(fds[0]);
}

static const struct test_case cases[] = {
	{ "ioctls", run_ioctls },
	{ "invalid", run_invalid },
	{ "names", run_names },
	{ "names32", run_names32 },
	{ "passing", run_passing },
	{ "udp", run_udp },
	{ "silent", run_silent },
	{ "long", run_long },
	{ "flow-control", run_room },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
