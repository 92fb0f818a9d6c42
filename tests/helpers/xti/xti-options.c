// SPDX-License-Identifier: GPL-2.0-only
/* xti-options.c - t_optmgmt() on /dev/streams/udp, with timod and without */
#include "xti-udp.h"

static struct {
	struct t_opthdr hdr;
	union {
		t_uscalar_t word;
		uint64_t wide;
		struct t_linger linger;
	};
} option;

static int manage(int fd, t_scalar_t action, t_uscalar_t level, t_uscalar_t name, int size,
		  struct t_optmgmt *ret)
{
	struct t_optmgmt req = { .opt = netbuf(&option, 0, sizeof(option.hdr) + size),
				 .flags = action };

	option.hdr = (struct t_opthdr){ .len = sizeof(option.hdr) + size, .level = level,
					.name = name };
	ret->opt = netbuf(got, 4096, 0);
	return t_optmgmt(fd, &req, ret);
}

static t_uscalar_t value(const struct t_optmgmt *ret)
{
	struct t_opthdr *h = T_OPT_FIRSTHDR(&ret->opt);
	t_uscalar_t v;

	TRUE(h && h->len >= sizeof(*h) + sizeof(v));
	memcpy(&v, T_OPT_DATA(h), sizeof(v));
	return v;
}

static void options_of(int fd)
{
	struct t_optmgmt ret, bad = { .opt = netbuf(got, 0, 0) };
	struct t_opthdr *h;
	int n = 0;

	TIS(manage(fd, T_CURRENT, T_INET_UDP, T_UDP_CHECKSUM, 0, &ret), 0);
	IS(ret.flags, T_SUCCESS);
	IS(value(&ret), T_YES);
	/* Some programs take a long for an integer option. */
	option.wide = T_NO;
	TIS(manage(fd, T_NEGOTIATE, T_INET_UDP, T_UDP_CHECKSUM, 8, &ret), 0);
	IS(ret.flags, T_SUCCESS);
	IS(value(&ret), T_NO);
	option.word = T_YES;
	TIS(manage(fd, T_NEGOTIATE, T_INET_UDP, T_UDP_CHECKSUM, 4, &ret), 0);
	IS(value(&ret), T_YES);
	TIS(manage(fd, T_DEFAULT, T_INET_IP, T_IP_TOS, 0, &ret), 0);
	IS(value(&ret), 0);
	option.word = 300;
	TIS(manage(fd, T_CHECK, T_INET_IP, T_IP_TOS, 4, &ret), 0);
	IS(ret.flags, T_FAILURE);
	TIS(manage(fd, T_CURRENT, XTI_GENERIC, 0x7777, 0, &ret), 0);
	IS(ret.flags, T_NOTSUPPORT);
	option.word = 5;
	TIS(manage(fd, T_NEGOTIATE, XTI_GENERIC, XTI_SNDLOWAT, 4, &ret), 0);
	IS(ret.flags, T_READONLY);
	option.linger = (struct t_linger){ T_YES, T_INFINITE };
	TIS(manage(fd, T_NEGOTIATE, XTI_GENERIC, XTI_LINGER, 8, &ret), 0);
	IS(ret.flags, T_SUCCESS);
	h = T_OPT_FIRSTHDR(&ret.opt);
	TRUE(!memcmp(T_OPT_DATA(h), &option.linger, sizeof(option.linger)));
	option.linger = (struct t_linger){ T_NO, T_UNSPEC };
	TIS(manage(fd, T_NEGOTIATE, XTI_GENERIC, XTI_LINGER, 8, &ret), 0);
	IS(ret.flags, T_SUCCESS);
	TIS(manage(fd, T_CURRENT, XTI_GENERIC, T_ALLOPT, 0, &ret), 0);
	for (h = T_OPT_FIRSTHDR(&ret.opt); h; h = T_OPT_NEXTHDR(ret.opt.buf, ret.opt.len, h), n++)
		IS(h->level, XTI_GENERIC);
	IS(n, 6);
	TFAILS(manage(fd, T_CURRENT, 99, 1, 0, &ret), TBADOPT);
	bad.flags = 0;
	TFAILS(t_optmgmt(fd, &bad, &ret), TBADFLAG);
	bad.flags = T_CURRENT | T_CHECK;
	TFAILS(t_optmgmt(fd, &bad, &ret), TBADFLAG);
	bad.flags = T_CURRENT;
	memset(&option, 0, sizeof(option));
	option.hdr.len = 3;
	bad.opt = netbuf(&option, 0, sizeof(option.hdr));
	TFAILS(t_optmgmt(fd, &bad, &ret), TBADOPT);
	bad.opt.len = 70000;
	TFAILS(t_optmgmt(fd, &bad, &ret), TBADOPT);
	option.hdr.len = sizeof(option.hdr);
	option.hdr.level = XTI_GENERIC;
	bad.opt.len = sizeof(option.hdr);
	ret.opt.maxlen = 20;
	TFAILS(t_optmgmt(fd, &bad, &ret), TBUFOVFLW);
	ret.opt.maxlen = 0;
	TIS(t_optmgmt(fd, &bad, &ret), 0);
	TIS(t_optmgmt(fd, &bad, NULL), 0);
	TERRNO(t_optmgmt(fd, NULL, NULL), EINVAL);
}

/* A datagram carries these options. */
static void run_options(void)
{
	struct sockaddr_in sin, from;
	struct t_unitdata u = { .addr = netbuf(&sin, 16, 16), .opt = netbuf(&option, 0, 20),
				.udata = netbuf("ttl", 3, 3) };
	struct t_unitdata r = { .addr = netbuf(&from, 16, 0), .opt = netbuf(got, 512, 0),
				.udata = netbuf(got + 512, 16, 0) };
	struct t_optmgmt ret;
	struct t_opthdr *h;
	int fd = endpoint(), flags;

	options_of(fd);
	TIS(t_getstate(fd), T_UNBND);
	TIS(t_close(fd), 0);
	fd = bound(&sin);
	options_of(fd);
	TIS(t_getstate(fd), T_IDLE);
	option.word = T_YES;
	TIS(manage(fd, T_NEGOTIATE, T_INET_IP, T_IP_RECVTTL, 4, &ret), 0);
	option.hdr = (struct t_opthdr){ .len = 20, .level = T_INET_IP, .name = T_IP_TTL };
	option.word = 42;
	TIS(t_sndudata(fd, &u), 0);
	TIS(t_rcvudata(fd, &r, &flags), 0);
	h = T_OPT_FIRSTHDR(&r.opt);
	TRUE(h && h->level == T_INET_IP && h->name == T_IP_TTL);
	IS(*T_OPT_DATA(h), 42);
	IS(r.udata.len, 3);
	/* The option does not fit: the datagram is lost. */
	TIS(t_sndudata(fd, &u), 0);
	TIS(send_to(fd, &sin, "next", 4), 0);
	r.opt.maxlen = 5;
	TFAILS(t_rcvudata(fd, &r, &flags), TBUFOVFLW);
	r.opt.maxlen = 0;
	TIS(t_rcvudata(fd, &r, &flags), 0);
	IS(r.udata.len, 4);
	option.hdr.len = 21;
	TFAILS(t_sndudata(fd, &u), TBADOPT);
	TIS(t_close(fd), 0);
}

/* The endpoint works with timod, without it, and after it was popped. */
static void run_timod(void)
{
	struct sockaddr_in sin;
	int fd = bound(&sin);

	if (ioctl(fd, I_FIND, "timod") == 1)
		IS(ioctl(fd, I_POP, 0), 0);
	IS(ioctl(fd, I_FIND, "timod"), 0);
	options_of(fd);
	TIS(t_getprotaddr(fd, NULL, NULL), 0);
	TIS(t_unbind(fd), 0);
	TIS(t_bind(fd, NULL, NULL), 0);
	TIS(t_sync(fd), T_IDLE);
	TIS(t_close(fd), 0);
}

static void run_pushed(void)
{
	struct str_mlist names[4];
	struct str_list list = { .sl_nmods = COUNT(names), .sl_modlist = names };
	struct sockaddr_in sin;
	int fd = bound(&sin);

	IS(ioctl(fd, I_LIST, &list), 0);
	IS(list.sl_nmods, 2);
	TRUE(!strcmp(names[0].l_name, "timod"));
	options_of(fd);
	TIS(t_close(fd), 0);
}

static const struct test_case cases[] = {
	{ "options", run_options }, { "timod", run_timod }, { "pushed", run_pushed },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
