// SPDX-License-Identifier: GPL-2.0-only
/*
 * The protocol behind STREAMS sockets
 *
 * The kernel's UDP with a few of its operations replaced. Binding, connecting,
 * options, the error queue and what /proc/net shows are the kernel's own code
 * on the kernel's own tables.
 */
#include <linux/skmsg.h>
#include <linux/sockptr.h>
#include <net/inet_sock.h>
#include <net/udp.h>

#include "udp/hook.h"
#include "udp/send.h"
#include "head.h"
#include "head_life.h"
#include "native.h"
#include "proto.h"
#include "rcv.h"
#include "sock.h"

static int proto_init(struct sock *sk)
{
	int err = udp_prot.init(sk);

	if (err)
		return err;
	strsock_begin(sk);
	return 0;
}

static int proto_sendmsg(struct sock *sk, struct msghdr *msg, size_t len)
{
	return strudp_sendmsg(sk, &strsock_sk(sk)->cache, msg, len);
}

static void proto_destroy(struct sock *sk)
{
	udp_prot.destroy(sk);
	strsock_forget(sk);
}

/*
 * Returns whether a level is UDP's; the kernel takes that of UDP-Lite for it
 * too.
 */
static bool level_is_udp(int level)
{
	return level == SOL_UDP || level == SOL_UDPLITE;
}

/* Options that would have no effect on data that passes a stream. */
static bool option_is_native(const struct sock *sk, int level, int optname)
{
	if (level_is_udp(level))
		return optname == UDP_ENCAP || optname == UDP_GRO;
	if (level == SOL_IPV6)
		return strsock_is_inet6(sk) &&
		       (optname == IPV6_RECVERR || optname == IPV6_RECVERR_RFC4884);
	/*
	 * A checksum is reported where the kernel computed it, not where a
	 * hook did.
	 */
	return level == SOL_IP &&
	       (optname == IP_RECVERR || optname == IP_RECVERR_RFC4884 ||
		optname == IP_CHECKSUM);
}

/* Returns whether an option is set to its default. */
static bool option_is_off(sockptr_t optval, unsigned int optlen)
{
	int val;

	return optlen >= sizeof(val) &&
	       !copy_from_sockptr(&val, optval, sizeof(val)) && !val;
}

static int cork_set(struct sock *sk, int val)
{
	return strsock_native(sk)->setsockopt(sk, SOL_UDP, UDP_CORK, KERNEL_SOCKPTR(&val),
					      sizeof(val));
}

/*
 * Sets or clears UDP_CORK. On a socket with a stream this waits for poll() to
 * end sending, which would wait for the socket's lock. The value is read first,
 * which takes as long as the caller likes.
 */
static int proto_cork(struct sock *sk, sockptr_t optval)
{
	struct strsock_head *h;
	int val, err = 0;

	if (copy_from_sockptr(&val, optval, sizeof(val)))
		return -EFAULT;
	h = strsock_head_of(sk);
	if (!h && val) {
		/*
		 * The socket gets no stream under this lock, which the kernel's call takes
		 * for 0.
		 */
		lock_sock(sk);
		h = strsock_head_of(sk);
		if (!h)
			err = cork_set(sk, val);
		release_sock(sk);
		if (!h)
			return err;
	}
	if (h)
		mutex_lock(&h->send_mutex);
	err = cork_set(sk, val);
	if (h)
		mutex_unlock(&h->send_mutex);
	return err;
}

/*
 * A socket, of either family, that sets one of these options may get no stream from then on;
 * a socket that has a stream refuses them.
 */
int strsock_setsockopt(struct sock *sk, int level, int optname, sockptr_t optval,
		       unsigned int optlen)
{
	if (option_is_native(sk, level, optname)) {
		int err = strsock_head_exclude(sk);

		if (err)
			return option_is_off(optval, optlen) ? 0 : err;
	}
	if (level_is_udp(level) && optname == UDP_CORK && optlen >= sizeof(int))
		return proto_cork(sk, optval);
	return strsock_native(sk)->setsockopt(sk, level, optname, optval, optlen);
}

#ifdef CONFIG_BPF_SYSCALL
/*
 * Handles a socket that is put into a BPF map, whose programs get arriving
 * data: refused if data passes a stream. Options of a socket in a map are set
 * without a call of this module, so the socket may not get a stream when it is
 * taken out.
 */
static int proto_update_bpf(struct sock *sk, struct sk_psock *psock,
			    bool restore)
{
	if (!restore && strsock_head_of(sk))
		return -EOPNOTSUPP;
	if (!restore)
		WRITE_ONCE(strsock_sk(sk)->native, true);
	return udp_prot.psock_update_sk_prot(sk, psock, restore);
}
#endif

int strsock_getsockopt(struct sock *sk, int level, int optname, char __user *optval,
		       int __user *optlen)
{
	int err = strsock_native(sk)->getsockopt(sk, level, optname, optval, optlen);
	int len;

	if (err || !level_is_udp(level) || optname != UDP_ENCAP ||
	    !strudp_hooked(sk))
		return err;
	/* The program has not asked for this module's hook. */
	if (get_user(len, optlen) || clear_user(optval, len))
		return -EFAULT;
	return 0;
}

PROTO_RECVMSG_OP(proto_recvmsg, strsock_recvmsg)

static unsigned int own_inuse;

int __init strsock_proto_init(void)
{
	int err;

	strsock_udp_prot = udp_prot;
	strscpy(strsock_udp_prot.name, "UDP-STREAMS", sizeof(strsock_udp_prot.name));
	strsock_udp_prot.owner = THIS_MODULE;
	strsock_udp_prot.obj_size = sizeof(struct strsock);
	strsock_udp_prot.slab = NULL;
	strsock_udp_prot.init = proto_init;
	strsock_udp_prot.destroy = proto_destroy;
	strsock_udp_prot.setsockopt = strsock_setsockopt;
	strsock_udp_prot.getsockopt = strsock_getsockopt;
	strsock_udp_prot.sendmsg = proto_sendmsg;
	strsock_udp_prot.recvmsg = proto_recvmsg;
#ifdef CONFIG_BPF_SYSCALL
	strsock_udp_prot.psock_update_sk_prot = proto_update_bpf;
#endif
	err = proto_register(&strsock_udp_prot, 1);
	if (!err)
		own_inuse = strsock_proto_share(&strsock_udp_prot, &udp_prot);
	return err;
}

void strsock_proto_exit(void)
{
	strsock_proto_unshare(&strsock_udp_prot, own_inuse);
	proto_unregister(&strsock_udp_prot);
}
