// SPDX-License-Identifier: GPL-2.0-only
/* udp-tpi-options.c - options of the UDP provider */
#include "udp-tpi.h"
#include "tpi-options.h"

static void run_negotiate(void)
{
	struct sockaddr_in a;
	int fd = bound(&a);

	add_int(T_INET_IP, T_IP_TOS, 0x10);
	add_int(T_INET_IP, T_IP_BROADCAST, T_YES);
	add_int(T_INET_UDP, T_UDP_CHECKSUM, T_NO);
	add_int(XTI_GENERIC, XTI_RCVBUF, 30000);
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_SUCCESS);
	IS(answered(0, T_INET_IP, T_IP_TOS, T_SUCCESS), 0x10);
	IS(answered(1, T_INET_IP, T_IP_BROADCAST, T_SUCCESS), T_YES);
	IS(answered(2, T_INET_UDP, T_UDP_CHECKSUM, T_SUCCESS), T_NO);
	IS(answered(3, XTI_GENERIC, XTI_RCVBUF, T_SUCCESS), 30000);

	add(T_INET_IP, T_IP_TOS, NULL, 0);
	add(T_INET_UDP, T_UDP_CHECKSUM, NULL, 0);
	ask(fd, T_CURRENT);
	receive_answer(fd, T_SUCCESS);
	IS(answered(0, T_INET_IP, T_IP_TOS, T_SUCCESS), 0x10);
	IS(answered(1, T_INET_UDP, T_UDP_CHECKSUM, T_SUCCESS), T_NO);

	/* Programs use values of other lengths. */
	{
		unsigned char ttl = 7;
		unsigned long wide = T_YES;

		add(T_INET_IP, T_IP_TTL, &ttl, sizeof(ttl));
		add(T_INET_IP, T_IP_REUSEADDR, &wide, sizeof(wide));
		ask(fd, T_NEGOTIATE);
		receive_answer(fd, T_SUCCESS);
		IS(answered(0, T_INET_IP, T_IP_TTL, T_SUCCESS), 7);
		IS(answered(1, T_INET_IP, T_IP_REUSEADDR, T_SUCCESS), T_YES);
	}
	/* All options get their defaults back. */
	add(T_INET_IP, T_ALLOPT, NULL, 0);
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_SUCCESS);
	add(T_INET_IP, T_IP_TTL, NULL, 0);
	add(T_INET_IP, T_IP_TOS, NULL, 0);
	add(T_INET_IP, T_IP_REUSEADDR, NULL, 0);
	ask(fd, T_CURRENT);
	receive_answer(fd, T_SUCCESS);
	IS(answered(0, T_INET_IP, T_IP_TTL, T_SUCCESS), 64);
	IS(answered(1, T_INET_IP, T_IP_TOS, T_SUCCESS), 0);
	IS(answered(2, T_INET_IP, T_IP_REUSEADDR, T_SUCCESS), T_NO);
	close(fd);
}

static void run_results(void)
{
	int fd = endpoint();

	/*
	 * These options are legal before T_BIND_REQ; the worst result is that
	 * of the list.
	 */
	add_int(T_INET_IP, T_IP_TOS, 8);
	add_int(T_INET_IP, T_IP_TTL, 0);
	add_int(XTI_GENERIC, XTI_SNDLOWAT, 5);
	add_int(T_INET_IP, 4711, 1);
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_NOTSUPPORT);
	answered(0, T_INET_IP, T_IP_TOS, T_SUCCESS);
	IS(answered(1, T_INET_IP, T_IP_TTL, T_FAILURE) & 0xff, 64);
	IS(answered(2, XTI_GENERIC, XTI_SNDLOWAT, T_READONLY), 1);
	answered(3, T_INET_IP, 4711, T_NOTSUPPORT);

	add_int(XTI_GENERIC, XTI_SNDBUF, 1 << 30);
	add_int(T_INET_IP, T_IP_BROADCAST, 5);
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_FAILURE);
	TRUE(answered(0, XTI_GENERIC, XTI_SNDBUF, T_PARTSUCCESS) < 1 << 30);
	IS(answered(1, T_INET_IP, T_IP_BROADCAST, T_FAILURE), T_NO);

	add_int(T_INET_IP, T_IP_TTL, 300);
	add(T_INET_IP, T_IP_TOS, NULL, 0);
	ask(fd, T_CHECK);
	receive_answer(fd, T_FAILURE);
	answered(0, T_INET_IP, T_IP_TTL, T_FAILURE);
	answered(1, T_INET_IP, T_IP_TOS, T_SUCCESS);

	add(T_INET_UDP, T_ALLOPT, NULL, 0);
	ask(fd, T_DEFAULT);
	receive_answer(fd, T_SUCCESS);
	IS(answered(0, T_INET_UDP, T_UDP_CHECKSUM, T_SUCCESS), T_YES);
	add(XTI_GENERIC, T_ALLOPT, NULL, 0);
	ask(fd, T_CURRENT);
	receive_answer(fd, T_READONLY);
	ask(fd, T_CURRENT);
	receive_answer(fd, T_SUCCESS);
	close(fd);
}

/* A user without privileges runs this. */
static void run_unprivileged(void)
{
	int fd = endpoint();

	add_int(XTI_GENERIC, XTI_DEBUG, T_YES);
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_READONLY);
	IS(answered(0, XTI_GENERIC, XTI_DEBUG, T_READONLY), T_NO);
	close(fd);
}

static void bad_list(int fd, int length, int offset, int size)
{
	out.prim.optmgmt_req = (struct T_optmgmt_req){
		T_OPTMGMT_REQ, length, offset, T_CURRENT
	};
	IS(send_prim(fd, size, NULL, 0, 0), 0);
	receive_error(fd, T_OPTMGMT_REQ, TBADOPT, 0);
}

static void run_malformed(void)
{
	struct T_opthdr *oh = (void *)(out.bytes + 16);
	unsigned int i;
	int fd = endpoint();

	memset(&out, 0, sizeof(out));
	*oh = (struct T_opthdr){ 16, T_INET_IP, T_IP_TOS, 0 };
	bad_list(fd, 32, 16, 32);
	bad_list(fd, -1, 16, 32);
	bad_list(fd, 16, -16, 32);
	bad_list(fd, 0x7fffffff, 16, 32);
	bad_list(fd, 16, 0x7ffffff8, 32);
	bad_list(fd, 15, 16, 32);
	oh->len = 15;
	bad_list(fd, 16, 16, 32);
	oh->len = 17;
	bad_list(fd, 16, 16, 32);
	oh->len = 0;
	bad_list(fd, 16, 16, 32);
	oh->len = 0xfffffff0;
	bad_list(fd, 16, 16, 32);
	*oh = (struct T_opthdr){ 16, 999, T_IP_TOS, 0 };
	bad_list(fd, 16, 16, 32);

	out.prim.optmgmt_req.MGMT_flags = 0;
	IS(send_prim(fd, 32, NULL, 0, 0), 0);
	receive_error(fd, T_OPTMGMT_REQ, TBADFLAG, 0);
	IS(send_prim(fd, 12, NULL, 0, 0), 0);
	receive_error(fd, T_OPTMGMT_REQ, TSYSERR, EINVAL);

	/* The options are more than an answer holds. */
	for (i = 0; i < 60; i++)
		add(T_INET_IP, T_ALLOPT, NULL, 0);
	ask(fd, T_CURRENT);
	receive_error(fd, T_OPTMGMT_REQ, TBUFOVFLW, 0);
	for (i = 0; i < 60; i++)
		add(T_INET_IP, T_IP_TOS, NULL, 0);
	ask(fd, T_CURRENT);
	receive_answer(fd, T_SUCCESS);
	close(fd);
}

static void run_datagrams(void)
{
	struct sockaddr_in a, b;
	int fa = bound(&a), fb = bound(&b);
	struct T_unitdata_ind *ind = &in.prim.unitdata_ind;
	unsigned int value;
	struct T_opthdr oh;

	add_int(T_INET_IP, T_IP_RECVDSTADDR, T_YES);
	add_int(T_INET_IP, T_IP_RECVTTL, T_YES);
	add_int(T_INET_IP, T_IP_RECVTOS, T_YES);
	ask(fb, T_NEGOTIATE);
	receive_answer(fb, T_SUCCESS);

	add_int(T_INET_IP, T_IP_TTL, 42);
	add_int(T_INET_IP, T_IP_TOS, 0x20);
	IS(put_datagram(fa, &b, list, list_len, "abc", 3), 0);
	list_len = 0;
	receive_datagram(fb, "abc", 3);
	oh = option_at(ind->OPT_offset, ind->OPT_length, 0, &value, 4);
	IS(oh.name, T_IP_RECVDSTADDR);
	IS(value, htonl(INADDR_LOOPBACK));
	oh = option_at(ind->OPT_offset, ind->OPT_length, 1, &value, 4);
	IS(oh.name, T_IP_TTL);
	IS(value & 0xff, 42);
	oh = option_at(ind->OPT_offset, ind->OPT_length, 2, &value, 4);
	IS(oh.name, T_IP_TOS);
	IS(value, 0x20);

	/* The option is for one datagram only. */
	IS(put_datagram(fa, &b, NULL, 0, "d", 1), 0);
	receive_datagram(fb, "d", 1);
	option_at(ind->OPT_offset, ind->OPT_length, 1, &value, 4);
	IS(value & 0xff, 64);

	/* Some values have no such option, and some options are malformed. */
	add_int(T_INET_UDP, T_UDP_CHECKSUM, T_NO);
	IS(put_datagram(fa, &b, list, list_len, "e", 1), 0);
	receive_uderror(fa, &b, EINVAL);
	list_len = 0;
	add_int(T_INET_IP, T_IP_TTL, 256);
	IS(put_datagram(fa, &b, list, list_len, "e", 1), 0);
	receive_uderror(fa, &b, EINVAL);
	IS(put_datagram(fa, &b, list, 7, "e", 1), 0);
	receive_uderror(fa, &b, EINVAL);
	IS(put_datagram(fa, &b, NULL, 0, "f", 1), 0);
	receive_datagram(fb, "f", 1);
	close(fa);
	close(fb);
}

static const struct test_case cases[] = {
	{ "negotiate", run_negotiate },
	{ "results", run_results },
	{ "unprivileged", run_unprivileged },
	{ "malformed", run_malformed },
	{ "datagrams", run_datagrams },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
