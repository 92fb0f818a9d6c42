// SPDX-License-Identifier: GPL-2.0-only
/*
 * The protocol behind STREAMS sockets
 *
 * The kernel's UDP with a few of its operations replaced. Binding, connecting,
 * options, the error queue and what /proc/net shows are the kernel's own code
 * on the kernel's own tables.
 */
#include <linux/seq_file.h>
#include <linux/sockptr.h>
#include <net/inet_sock.h>
#include <net/udp.h>

#include "../tpi/udp.h"
#include "sock.h"

static void proto_show(struct seq_file *m, struct str_entry *e)
{
	struct str_sock *ss = container_of(e, struct str_sock, entry);
	struct sock *sk = &ss->udp.inet.sk;

	seq_printf(m, " queued=%d hiwat=%d modules=- port=%u drops=%d",
		   udp_rqueue_get(sk), READ_ONCE(sk->sk_rcvbuf),
		   ntohs(READ_ONCE(ss->udp.inet.inet_sport)),
		   atomic_read(&sk->sk_drops));
}

static int proto_init(struct sock *sk)
{
	int err = udp_prot.init(sk);

	if (err)
		return err;
	/* What SO_PROTOCOL, IP and everybody else are to see. */
	sk->sk_protocol = IPPROTO_UDP;
	str_sock_hook(sk);
	str_entry_add(&str_sk(sk)->entry, STR_KIND_UDP, proto_show);
	return 0;
}

static int proto_sendmsg(struct sock *sk, struct msghdr *msg, size_t len)
{
	return strudp_sendmsg(sk, &str_sk(sk)->cache, msg, len);
}

static void proto_destroy(struct sock *sk)
{
	/* Also called when proto_init() has failed. */
	if (str_sk(sk)->entry.show)
		str_entry_del(&str_sk(sk)->entry);
	udp_prot.destroy(sk);
	strudp_cache_drop(&str_sk(sk)->cache);
}

/*
 * Options whose work is done in the kernel's own receive path. A socket that
 * asks for one is left to it from then on.
 */
static bool option_unhooks(int level, int optname)
{
	if (level == SOL_UDP)
		return optname == UDP_ENCAP || optname == UDP_GRO;
	return level == SOL_IP &&
	       (optname == IP_RECVERR || optname == IP_RECVERR_RFC4884);
}

static int proto_setsockopt(struct sock *sk, int level, int optname,
			    sockptr_t optval, unsigned int optlen)
{
	if (option_unhooks(level, optname) && strudp_hooked(sk))
		strudp_unhook(sk);
	return udp_prot.setsockopt(sk, level, optname, optval, optlen);
}

/* An integer option, as udp_lib_getsockopt() answers it. */
static int put_option(int val, char __user *optval, int __user *optlen)
{
	int len;

	if (get_user(len, optlen))
		return -EFAULT;
	if (len < 0)
		return -EINVAL;
	len = min_t(unsigned int, len, sizeof(val));
	if (put_user(len, optlen) || copy_to_user(optval, &val, len))
		return -EFAULT;
	return 0;
}

static int proto_getsockopt(struct sock *sk, int level, int optname,
			    char __user *optval, int __user *optlen)
{
	/* Our hook is not one the program has asked for. */
	if (level == SOL_UDP && optname == UDP_ENCAP && strudp_hooked(sk))
		return put_option(0, optval, optlen);
	return udp_prot.getsockopt(sk, level, optname, optval, optlen);
}

/* Named for /proc/net/protocols and the slab. Filled in by str_proto_init(). */
struct proto str_udp_prot;

#ifdef CONFIG_PROC_FS
static unsigned int own_inuse_idx;

/* STREAMS sockets are among the UDP sockets of /proc/net/sockstat. */
static void share_inuse(void)
{
	own_inuse_idx = str_udp_prot.inuse_idx;
	str_udp_prot.inuse_idx = udp_prot.inuse_idx;
}

static void unshare_inuse(void)
{
	str_udp_prot.inuse_idx = own_inuse_idx;
}
#else
static void share_inuse(void)
{
}

static void unshare_inuse(void)
{
}
#endif

int __init str_proto_init(void)
{
	int err;

	str_udp_prot = udp_prot;
	strscpy(str_udp_prot.name, "UDP-STREAMS", sizeof(str_udp_prot.name));
	str_udp_prot.owner = THIS_MODULE;
	str_udp_prot.obj_size = sizeof(struct str_sock);
	str_udp_prot.slab = NULL;
	str_udp_prot.init = proto_init;
	str_udp_prot.destroy = proto_destroy;
	str_udp_prot.setsockopt = proto_setsockopt;
	str_udp_prot.getsockopt = proto_getsockopt;
	str_udp_prot.sendmsg = proto_sendmsg;
	str_udp_prot.recvmsg = str_sock_recvmsg;
	err = proto_register(&str_udp_prot, 1);
	if (!err)
		share_inuse();
	return err;
}

void str_proto_exit(void)
{
	unshare_inuse();
	proto_unregister(&str_udp_prot);
}
