/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sockets of the kernel, as far as transport providers use them
 *
 * A socket does what the input says: any of its calls may fail, take a part of the
 * data or return what arrived at any time. It keeps to what a kernel guarantees, such
 * as to return no more bytes than there is room for; see sock.c.
 */
#ifndef _FUZZ_SOCK_H
#define _FUZZ_SOCK_H

#include <asm/socket.h>
#include <linux/errqueue.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/ip.h>
#include <linux/net.h>
#include <linux/tcp.h>
#include <linux/udp.h>

#define AF_INET			2
#define AF_INET6		10
#define PF_INET			AF_INET
#define PF_INET6		AF_INET6
#define SOCK_STREAM		1
#define SOCK_DGRAM		2
#define SOCK_RAW		3
#define SOL_IP			0
#define SOL_TCP			6
#define SOL_IPV6		41
#define MSG_OOB			1
#define MSG_PEEK		2
#define MSG_DONTROUTE		4
#define MSG_TRUNC		0x20
#define MSG_DONTWAIT		0x40
#define MSG_EOR			0x80
#define MSG_FIN			0x200
#define MSG_ERRQUEUE		0x2000
#define MSG_NOSIGNAL		0x4000
#define MSG_MORE		0x8000
#define MSG_ZEROCOPY		0x4000000
#define MSG_SPLICE_PAGES	0x8000000
#define SHUT_WR			1
#define SHUT_RDWR		2
#define RCV_SHUTDOWN		1
#define SEND_SHUTDOWN		2

typedef u16 sa_family_t;
struct sockaddr { sa_family_t sa_family; char sa_data[14]; };
struct sockaddr_unsized { sa_family_t sa_family; char sa_data[]; };
struct sockaddr_storage { sa_family_t ss_family; char data[126]; };
struct linger { int l_onoff, l_linger; };

#define htons(v)		__builtin_bswap16(v)
#define ntohs(v)		__builtin_bswap16(v)

static inline bool ipv6_addr_v4mapped(const struct in6_addr *addr)
{
	const u32 *word = (const void *)addr;

	return !word[0] && !word[1] && word[2] == __builtin_bswap32(0xffff);
}

/* Control messages */
struct cmsghdr { size_t cmsg_len; int cmsg_level, cmsg_type; };
#define CMSG_ALIGN(n)		(((n) + sizeof(long) - 1) & ~(sizeof(long) - 1))
#define CMSG_DATA(c)		((void *)(c) + sizeof(struct cmsghdr))
#define CMSG_SPACE(n)		(sizeof(struct cmsghdr) + CMSG_ALIGN(n))
#define CMSG_LEN(n)		(sizeof(struct cmsghdr) + (n))

/* Data */
#define ITER_SOURCE		1
#define ITER_DEST		0
struct kvec { void *iov_base; size_t iov_len; };
struct iov_iter {
	int data_source;
	const struct kvec *kvec;
	unsigned int n;
	size_t offset;			/* bytes of the first one that are done */
	size_t count;
	const char *ubuf;		/* of one buffer of a user's, which none has */
};

#define iov_iter_count(i)	((i)->count)
void iov_iter_kvec(struct iov_iter *i, int source, const struct kvec *vec,
		   unsigned int n, size_t len);
void iov_iter_truncate(struct iov_iter *i, size_t len);
void iov_iter_advance(struct iov_iter *i, size_t len);
/* All of it is there. */
#define fault_in_readable(p, len)	((void)(p), (void)(len), (size_t)0)
#define fault_in_iov_iter_readable(i, len)	((void)(i), (void)(len), (size_t)0)
bool copy_from_iter_full(void *to, size_t n, struct iov_iter *from);

struct msghdr {
	void *msg_name;
	int msg_namelen;
	struct iov_iter msg_iter;
	void *msg_control;
	size_t msg_controllen;
	unsigned int msg_flags;
};

#define msg_data_left(m)	iov_iter_count(&(m)->msg_iter)

struct sk_buff_head { struct sk_buff *first; spinlock_t lock; };
#define skb_queue_empty_lockless(q)	(!(q)->first)
#define skb_peek(q)			((q)->first)
#define skb_csum_unnecessary(skb)	(!(skb)->sum_is_unknown)
#define ip_hdr(skb)		((struct iphdr *)(skb)->head)
#define udp_hdr(skb)		((struct udphdr *)(skb)->head)

/* net_tcp_states */
enum {
	TCP_ESTABLISHED = 1, TCP_SYN_SENT, TCP_SYN_RECV, TCP_FIN_WAIT1,
	TCP_FIN_WAIT2, TCP_TIME_WAIT, TCP_CLOSE, TCP_CLOSE_WAIT, TCP_LAST_ACK,
	TCP_LISTEN,
};

enum sock_flags {
	SOCK_LINGER, SOCK_URGINLINE, SOCK_DBG, SOCK_LOCALROUTE, SOCK_BROADCAST,
	SOCK_KEEPOPEN, SOCK_RCU_FREE,
};

#define SK_CAN_REUSE		1
/* <linux/socket.h> has those of buffers. */
#define SOCK_BINDADDR_LOCK	4
#define SOCK_BINDPORT_LOCK	8
#define SK_USER_DATA_NOCOPY	1UL
#define SK_USER_DATA_PTRMASK	(~7UL)
#define TCP_NAGLE_OFF		1

struct socket;
struct mem_cgroup;

#define sk_use_own_frag(sk)	((void)(sk))

struct sock {
	unsigned long flags;
	unsigned long sk_lingertime;
	rwlock_t sk_callback_lock;
	void *sk_user_data;
	void (*sk_state_change)(struct sock *sk);
	void (*sk_data_ready)(struct sock *sk);
	void (*sk_write_space)(struct sock *sk);
	void (*sk_error_report)(struct sock *sk);
	void (*sk_destruct)(struct sock *sk);
	int sk_family;
	int sk_type;
	int sk_state;
	int sk_err;
	int sk_shutdown;
	int sk_bound_dev_if;
	u32 sk_mark;
	u32 sk_priority;
	int sk_rcvbuf;
	int sk_sndbuf;
	int sk_rcvlowat;
	int sk_userlocks;
	unsigned char sk_reuse;
	unsigned char sk_no_check_tx;
	unsigned char sk_ipv6only;
	gfp_t sk_allocation;
	struct sk_buff_head sk_receive_queue;
	struct sk_buff_head sk_error_queue;
	bool locked;
};

struct sctp_endpoint { struct list_head asocs; };

/* All that the kinds of socks have */
struct inet_sock {
	struct sock sk;
	struct net *net;
	u8 tos;
	s16 uc_ttl;
	u16 inet_num;
	__be16 inet_sport;
	__be16 inet_dport;
	__be32 inet_saddr;
	__be32 inet_daddr;
	/* TCP: bytes of the receive queue's one buffer are counted by it */
	u32 copied_seq;
	u32 urg_seq;
	u16 urg_data;
	u8 nonagle;
	u32 mss_cache;
	/* UDP */
	struct sk_buff_head reader_queue;
	u8 encap_type;
	int (*encap_err_rcv)(struct sock *sk, struct sk_buff *skb);
	/* SCTP */
	struct sctp_endpoint *ep;
	struct sctp_endpoint own_ep;
	struct list_head asoc;
};

#define tcp_sock		inet_sock
#define udp_sock		inet_sock
#define inet_sk(s)		container_of(s, struct inet_sock, sk)
#define tcp_sk(s)		inet_sk(s)
#define udp_sk(s)		inet_sk(s)
#define sctp_sk(s)		inet_sk(s)

typedef struct { void *kernel; } sockptr_t;
#define KERNEL_SOCKPTR(p)	((sockptr_t){ p })
struct proto_ops {
	struct module *owner;
	int (*setsockopt)(struct socket *sock, int level, int name,
			  sockptr_t value, unsigned int len);
};

struct socket {
	int type;
	int state;
	const struct proto_ops *ops;
	struct sock *sk;
	unsigned int waiting;		/* connections to accept */
	struct list_head list;		/* of all that exist */
};

#define sock_net(s)		(inet_sk(s)->net)
#define keepalive_time_when(tp)	(7200 * HZ)

#define sock_flag(sk, flag)		((sk)->flags >> (flag) & 1)
#define sock_set_flag(sk, flag)		((void)((sk)->flags |= 1UL << (flag)))
#define sock_reset_flag(sk, flag)	((void)((sk)->flags &= ~(1UL << (flag))))
#define __sk_user_data(sk)		((sk)->sk_user_data)
#define rcu_dereference_sk_user_data(sk) rcu_dereference((sk)->sk_user_data)
#define lockdep_is_held(l)		((l)->held)
#define rcu_assign_sk_user_data(sk, p)	((void)((sk)->sk_user_data = (p)))
#define __rcu_assign_sk_user_data_with_flags(sk, p, f) \
	((void)((sk)->sk_user_data = (void *)((uintptr_t)(p) | (f))))

static inline int sock_error(struct sock *sk)
{
	int err = sk->sk_err;

	sk->sk_err = 0;
	return -err;
}

void lock_sock(struct sock *sk);
void release_sock(struct sock *sk);
int sock_create(int family, int type, int protocol, struct socket **res);
int __sock_create(struct net *net, int family, int type, int protocol,
		  struct socket **res, int kern);
int sock_create_lite(int family, int type, int protocol, struct socket **res);
void sock_release(struct socket *sock);
int compat_accept(struct socket *from, struct socket *to, int flags);
int kernel_bind(struct socket *sock, struct sockaddr_unsized *addr, int len);
int kernel_listen(struct socket *sock, int qlen);
int kernel_connect(struct socket *sock, struct sockaddr_unsized *addr, int len,
		   int flags);
int kernel_getsockname(struct socket *sock, struct sockaddr *addr);
int kernel_getpeername(struct socket *sock, struct sockaddr *addr);
int kernel_sock_shutdown(struct socket *sock, int how);
int sock_setsockopt(struct socket *sock, int level, int name, sockptr_t value,
		    unsigned int len);
int sock_bindtoindex(struct sock *sk, int index, bool locks);
int sock_sendmsg(struct socket *sock, struct msghdr *msg);
int kernel_sendmsg(struct socket *sock, struct msghdr *msg, struct kvec *vec,
		   size_t n, size_t len);
int sock_recvmsg(struct socket *sock, struct msghdr *msg, int flags);
int kernel_recvmsg(struct socket *sock, struct msghdr *msg, struct kvec *vec,
		   size_t n, size_t len, int flags);
int tcp_inq(struct sock *sk);
bool sk_stream_memory_free(const struct sock *sk);
int sk_stream_wspace(const struct sock *sk);
int sk_wmem_alloc_get(const struct sock *sk);
bool sock_writeable(const struct sock *sk);
int __udp_disconnect(struct sock *sk, int flags);

/* Memory cgroups: there is none. */
#define get_mem_cgroup_from_mm(mm)	((struct mem_cgroup *)NULL)
#define mem_cgroup_put(memcg)		((void)(memcg))
static inline struct mem_cgroup *set_active_memcg(struct mem_cgroup *memcg)
{
	return NULL;
}

/* Names that udp.h uses */
#define SNMP_ADD_STATS(mib, what, n)	((void)(mib))
#define UDP_MIB_INDATAGRAMS		0
#define INDIRECT_CALL_1(f, f1, ...)	((f) == (f1) ? (f1)(__VA_ARGS__) : (f)(__VA_ARGS__))
#define cgroup_bpf_enabled(what)	fuzz_bpf()
bool fuzz_bpf(void);

#endif /* _FUZZ_SOCK_H */
