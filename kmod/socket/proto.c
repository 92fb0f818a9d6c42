// SPDX-License-Identifier: GPL-2.0-only
/*
 * The protocol behind STREAMS sockets
 *
 * The kernel's UDP with a few of its operations replaced. Binding, connecting,
 * options, the error queue and what /proc/net shows are the kernel's own code
 * on the kernel's own tables.
 */
#include <linux/seq_file.h>
#include <linux/skmsg.h>
#include <linux/sockptr.h>
#include <net/inet_sock.h>
#include <net/udp.h>

#include "udp/udp.h"
#include "sock.h"
#include "head.h"

static void proto_show(struct seq_file *m, struct str_entry *e)
{
	struct strsock *ss = container_of(e, struct strsock, entry);
	struct sock *sk = &ss->udp.inet.sk;
	struct strsock_head *head;

	seq_printf(m, " queued=%d hiwat=%d modules=", udp_rqueue_get(sk),
		   READ_ONCE(sk->sk_rcvbuf));
	rcu_read_lock();
	head = strsock_head_of(sk);
	if (head)
		str_show_modules(m, &head->sd);
	else
		seq_putc(m, '-');
	rcu_read_unlock();
	seq_printf(m, " port=%u drops=%d",
		   ntohs(READ_ONCE(ss->udp.inet.inet_sport)),
		   sk_drops_read(sk));
}

void strsock_begin(struct sock *sk)
{
	/* The value that SO_PROTOCOL, IP and all other code see. */
	sk->sk_protocol = IPPROTO_UDP;
	str_entry_add(&strsock_sk(sk)->entry, STR_KIND_UDP, proto_show);
}

void strsock_forget(struct sock *sk)
{
	struct str_entry *e = &strsock_sk(sk)->entry;

	/* Nothing has begun when the kernel could not make it its own. */
	if (e->show) {
		str_entry_del(e);
		str_count(STR_KIND_UDP, STR_DROPPED, sk_drops_read(sk));
	}
	e->show = NULL;
	strudp_cache_drop(&strsock_sk(sk)->cache);
}

int strsock_autobind(struct sock *sk)
{
	struct inet_sock *inet = inet_sk(sk);
	int err = 0;

	lock_sock(sk);
	if (!inet->inet_num) {
		if (sk->sk_prot->get_port(sk, 0))
			err = -EAGAIN;
		else
			inet->inet_sport = htons(inet->inet_num);
	}
	release_sock(sk);
	return err;
}

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

/* The kernel takes the one for the other. */
static bool level_is_udp(int level)
{
	return level == SOL_UDP || level == SOL_UDPLITE;
}

/* Options that would have no effect on data that passes a stream. */
static bool option_is_native(int level, int optname)
{
	if (level_is_udp(level))
		return optname == UDP_ENCAP || optname == UDP_GRO;
	/*
	 * A checksum is reported where the kernel computed it, not where a
	 * hook did.
	 */
	return level == SOL_IP &&
	       (optname == IP_RECVERR || optname == IP_RECVERR_RFC4884 ||
		optname == IP_CHECKSUM);
}

/* Whether an option is set to its default. */
static bool option_is_off(sockptr_t optval, unsigned int optlen)
{
	int val;

	return optlen >= sizeof(val) &&
	       !copy_from_sockptr(&val, optval, sizeof(val)) && !val;
}

static int cork_set(struct sock *sk, int val)
{
	return udp_prot.setsockopt(sk, SOL_UDP, UDP_CORK, KERNEL_SOCKPTR(&val),
				   sizeof(val));
}

/*
 * With a stream, not while poll() sends: it would wait for the socket's lock. The
 * value is read before, which takes as long as the caller likes.
 */
static int proto_cork(struct sock *sk, sockptr_t optval)
{
	struct strsock_head *h;
	int val, err = 0;

	if (copy_from_sockptr(&val, optval, sizeof(val)))
		return -EFAULT;
	h = strsock_head_of(sk);
	if (!h && val) {
		/* It gets no stream under this lock, which the kernel's takes for 0. */
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
 * A socket that asks for one of those may get no stream from then on; one that
 * has a stream refuses them.
 */
static int proto_setsockopt(struct sock *sk, int level, int optname,
			    sockptr_t optval, unsigned int optlen)
{
	if (option_is_native(level, optname)) {
		int err = strsock_head_exclude(sk);

		if (err)
			return option_is_off(optval, optlen) ? 0 : err;
	}
	if (level_is_udp(level) && optname == UDP_CORK && optlen >= sizeof(int))
		return proto_cork(sk, optval);
	return udp_prot.setsockopt(sk, level, optname, optval, optlen);
}

#ifdef CONFIG_BPF_SYSCALL
/*
 * A socket is put into a BPF map, and its programs get arriving data; not if
 * data passes a stream. In the map its options are set without us, so it may
 * not get a stream when it is taken out.
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

static int proto_getsockopt(struct sock *sk, int level, int optname,
			    char __user *optval, int __user *optlen)
{
	int err = udp_prot.getsockopt(sk, level, optname, optval, optlen);
	int len;

	if (err || !level_is_udp(level) || optname != UDP_ENCAP ||
	    !strudp_hooked(sk))
		return err;
	/* The program has not asked for our hook. */
	if (get_user(len, optlen) || clear_user(optval, len))
		return -EFAULT;
	return 0;
}

PROTO_RECVMSG_OP(proto_recvmsg, strsock_recvmsg)

/* Named for /proc/net/protocols and the slab. Filled in by strsock_proto_init(). */
struct proto strsock_udp_prot;

static unsigned int own_inuse;

/* STREAMS sockets are among the UDP sockets of /proc/net/sockstat. */
unsigned int strsock_proto_share(struct proto *prot, const struct proto *with)
{
	unsigned int own = 0;

#ifdef CONFIG_PROC_FS
	own = prot->inuse_idx;
	prot->inuse_idx = with->inuse_idx;
#endif
	return own;
}

void strsock_proto_unshare(struct proto *prot, unsigned int own)
{
#ifdef CONFIG_PROC_FS
	prot->inuse_idx = own;
#endif
}

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
	strsock_udp_prot.setsockopt = proto_setsockopt;
	strsock_udp_prot.getsockopt = proto_getsockopt;
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
