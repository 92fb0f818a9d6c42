// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sockets that do what the input says
 *
 * An input that has ended says that calls succeed and nothing arrives.
 */
#include <linux/types.h>

#include "fuzz.h"
#include "prim.h"
#include "sock.h"

#define SOCKETS_MOST	64

static LIST_HEAD(sockets);
static unsigned int count;

/* One of some errors, or 0: mostly. */
static int result(const int *errors, unsigned int n)
{
	unsigned int b = input_byte(fuzz_input);

	return b < 0xc0 ? 0 : -errors[b % n];
}

#define RESULT(...) \
	result((const int[]){ __VA_ARGS__ }, \
	       sizeof((const int[]){ __VA_ARGS__ }) / sizeof(int))

bool fuzz_bpf(void)
{
	return (input_byte(fuzz_input) & 7) == 7;
}

void lock_sock(struct sock *sk)
{
	fuzz_may_sleep();
	if (sk->locked)
		fuzz_die("a sock is locked twice");
	sk->locked = true;
}

void release_sock(struct sock *sk)
{
	sk->locked = false;
}

static void no_event(struct sock *sk)
{
}

static int ops_setsockopt(struct socket *sock, int level, int name,
			  sockptr_t value, unsigned int len)
{
	return sock_setsockopt(sock, level, name, value, len);
}

static const struct proto_ops ops = { .setsockopt = ops_setsockopt };

static int sock_new(int type, struct socket **res)
{
	struct socket *sock;

	if (count == SOCKETS_MOST)
		return -ENFILE;
	sock = kzalloc(sizeof(*sock), GFP_KERNEL);
	if (!sock)
		return -ENOMEM;
	sock->type = type;
	sock->ops = &ops;
	list_add_tail(&sock->list, &sockets);
	count++;
	*res = sock;
	return 0;
}

static int sk_new(struct socket *sock, struct net *net)
{
	struct inet_sock *inet = kzalloc(sizeof(*inet), GFP_KERNEL);

	if (!inet)
		return -ENOMEM;
	inet->net = get_net(net);
	inet->uc_ttl = -1;
	inet->mss_cache = 1460;
	inet->ep = &inet->own_ep;
	INIT_LIST_HEAD(&inet->own_ep.asocs);
	sock->sk = &inet->sk;
	sock->sk->sk_family = PF_INET;
	sock->sk->sk_type = sock->type;
	sock->sk->sk_state = TCP_CLOSE;
	sock->sk->sk_rcvbuf = 65536;
	sock->sk->sk_sndbuf = 65536;
	sock->sk->sk_state_change = no_event;
	sock->sk->sk_data_ready = no_event;
	sock->sk->sk_write_space = no_event;
	sock->sk->sk_error_report = no_event;
	sock->sk->sk_destruct = no_event;
	return 0;
}

int __sock_create(struct net *net, int family, int type, int protocol,
		  struct socket **res, int kern)
{
	int err = RESULT(ENOMEM, EPROTONOSUPPORT, EPERM, ENFILE);

	fuzz_may_sleep();
	if (!err)
		err = sock_new(type, res);
	if (err)
		return err;
	err = sk_new(*res, net);
	if (err)
		sock_release(*res);
	return err;
}

int sock_create(int family, int type, int protocol, struct socket **res)
{
	return __sock_create(&init_net, family, type, protocol, res, 0);
}

int sock_create_lite(int family, int type, int protocol, struct socket **res)
{
	return sock_new(type, res);
}

static void queue_drop(struct sk_buff_head *queue)
{
	struct sk_buff *skb;

	while ((skb = queue->first)) {
		queue->first = skb->next;
		consume_skb(skb);
	}
}

void sock_release(struct socket *sock)
{
	struct sock *sk = sock->sk;

	fuzz_may_sleep();
	if (sk) {
		if (sk->locked)
			fuzz_die("a sock is closed that is locked");
		if (sk->sk_user_data)
			fuzz_die("a socket is closed whose events an endpoint still has");
		sk->sk_destruct(sk);
		queue_drop(&sk->sk_receive_queue);
		queue_drop(&sk->sk_error_queue);
		queue_drop(&udp_sk(sk)->reader_queue);
		put_net(inet_sk(sk)->net);
		kfree(inet_sk(sk));
	}
	list_del(&sock->list);
	count--;
	kfree(sock);
}

int kernel_bind(struct socket *sock, struct sockaddr_unsized *addr, int len)
{
	const struct sockaddr_in *sin = (struct sockaddr_in *)addr;
	int err = RESULT(EADDRINUSE, EACCES, EADDRNOTAVAIL, EINVAL, ENOMEM);

	fuzz_may_sleep();
	if (err)
		return err;
	inet_sk(sock->sk)->inet_saddr = sin->sin_addr.s_addr;
	inet_sk(sock->sk)->inet_sport = sin->sin_port ?: htons(1024);
	inet_sk(sock->sk)->inet_num = ntohs(inet_sk(sock->sk)->inet_sport);
	return 0;
}

int kernel_listen(struct socket *sock, int qlen)
{
	int err = RESULT(EADDRINUSE, EINVAL, ENOMEM);

	if (!err)
		sock->sk->sk_state = TCP_LISTEN;
	return err;
}

static void name_fill(struct sockaddr *addr)
{
	*(struct sockaddr_in *)addr = (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = htons(1024),
	};
}

int kernel_getsockname(struct socket *sock, struct sockaddr *addr)
{
	int err = RESULT(ENOTCONN, ENOBUFS);

	if (err)
		return err;
	name_fill(addr);
	return sizeof(struct sockaddr_in);
}

int kernel_getpeername(struct socket *sock, struct sockaddr *addr)
{
	return kernel_getsockname(sock, addr);
}

int kernel_connect(struct socket *sock, struct sockaddr_unsized *addr, int len,
		   int flags)
{
	int err = RESULT(EINPROGRESS, EINPROGRESS, EADDRNOTAVAIL, ECONNREFUSED,
			 EAGAIN, ENETUNREACH, EADDRINUSE, EPERM);

	fuzz_may_sleep();
	if (!err || err == -EINPROGRESS)
		sock->sk->sk_state = err ? TCP_SYN_SENT : TCP_ESTABLISHED;
	return err;
}

int compat_accept(struct socket *from, struct socket *to, int flags)
{
	int err = RESULT(ECONNABORTED, ENFILE, ENOBUFS, EPERM);

	if (!err && !from->waiting)
		err = -EAGAIN;
	if (!err)
		err = sk_new(to, inet_sk(from->sk)->net);
	if (err)
		return err;
	from->waiting--;
	to->sk->sk_state = TCP_ESTABLISHED;
	to->state = SS_CONNECTED;
	/* Cloned, with its callbacks, and not with its user's data. */
	to->sk->sk_state_change = from->sk->sk_state_change;
	to->sk->sk_data_ready = from->sk->sk_data_ready;
	to->sk->sk_write_space = from->sk->sk_write_space;
	to->sk->sk_error_report = from->sk->sk_error_report;
	return 0;
}

int kernel_sock_shutdown(struct socket *sock, int how)
{
	sock->sk->sk_shutdown |= SEND_SHUTDOWN;
	return 0;
}

int sock_setsockopt(struct socket *sock, int level, int name, sockptr_t value,
		    unsigned int len)
{
	int err = RESULT(EINVAL, EPERM, EACCES, ENOMEM, ENOPROTOOPT), number;
	unsigned char bytes[64];

	fuzz_may_sleep();
	if (len > sizeof(bytes))
		fuzz_die("an option longer than any");
	memcpy(bytes, value.kernel, len);
	if (err || len < sizeof(number))
		return err;
	memcpy(&number, bytes, sizeof(number));
	if (level == SOL_SOCKET && name == SO_RCVBUF)
		sock->sk->sk_rcvbuf = max(2 * min(number, 1 << 20), 2048);
	if (level == SOL_SOCKET && name == SO_SNDBUF)
		sock->sk->sk_sndbuf = max(2 * min(number, 1 << 20), 2048);
	return 0;
}

int sock_bindtoindex(struct sock *sk, int index, bool locks)
{
	return RESULT(ENODEV, ENOMEM);
}

void iov_iter_kvec(struct iov_iter *i, int source, const struct kvec *vec,
		   unsigned int n, size_t len)
{
	*i = (struct iov_iter){ source, vec, n, 0, len, NULL };
}

void iov_iter_truncate(struct iov_iter *i, size_t len)
{
	i->count = min(i->count, len);
}

/* Copies n bytes from, or to, an iterator, and moves it on. */
static void iter_copy(struct iov_iter *i, void *bytes, size_t n, bool from)
{
	while (n) {
		size_t part;

		if (!i->n)
			fuzz_die("fewer bytes than an iterator counts");
		part = min(n, i->kvec->iov_len - i->offset);
		if (from)
			memcpy(bytes, i->kvec->iov_base + i->offset, part);
		else
			memcpy(i->kvec->iov_base + i->offset, bytes, part);
		bytes += part;
		i->offset += part;
		i->count -= part;
		n -= part;
		if (i->offset == i->kvec->iov_len) {
			i->kvec++;
			i->n--;
			i->offset = 0;
		}
	}
}

void iov_iter_advance(struct iov_iter *i, size_t len)
{
	char skipped[64];
	size_t n;

	for (; len; len -= n) {
		n = min(len, sizeof(skipped));
		iter_copy(i, skipped, n, true);
	}
}

bool copy_from_iter_full(void *to, size_t n, struct iov_iter *from)
{
	if (n > from->count)
		return false;
	iter_copy(from, to, n, true);
	return true;
}

/* As the kernel's, which refuses those that are wrong: here they are a finding. */
static void control_check(const struct msghdr *msg)
{
	const void *at = msg->msg_control;
	size_t left = msg->msg_controllen, step;
	const struct cmsghdr *c;

	while (left) {
		c = at;
		if (left < sizeof(*c) || c->cmsg_len < sizeof(*c) ||
		    c->cmsg_len > left)
			fuzz_die("a control message that is not one");
		step = min(CMSG_ALIGN(c->cmsg_len), left);
		at += step;
		left -= step;
	}
}

static unsigned char scratch[1 << 20];

int fuzz_sock_send(struct socket *sock, struct msghdr *msg)
{
	int err = RESULT(EAGAIN, EAGAIN, ENOBUFS, ENOMEM, EPIPE, ECONNRESET,
			 EMSGSIZE, EPERM, ENETUNREACH);
	size_t len = msg_data_left(msg);

	control_check(msg);
	if (sock->sk->sk_err)
		return sock_error(sock->sk);
	if (err)
		return err;
	if (len > sizeof(scratch))
		return -EMSGSIZE;
	if (sock->type == SOCK_STREAM && len && input_byte(fuzz_input) & 1)
		len = 1 + input_byte(fuzz_input) % len;
	iter_copy(&msg->msg_iter, scratch, len, true);
	return len;
}

int sock_sendmsg(struct socket *sock, struct msghdr *msg)
{
	fuzz_may_sleep();
	return fuzz_sock_send(sock, msg);
}

int kernel_sendmsg(struct socket *sock, struct msghdr *msg, struct kvec *vec,
		   size_t n, size_t len)
{
	iov_iter_kvec(&msg->msg_iter, ITER_SOURCE, vec, n, len);
	return sock_sendmsg(sock, msg);
}

/* As put_cmsg() */
static void control_put(struct msghdr *msg, int level, int type,
			const void *value, size_t len)
{
	struct cmsghdr c = {
		.cmsg_len = CMSG_LEN(len), .cmsg_level = level, .cmsg_type = type,
	};

	if (msg->msg_controllen < CMSG_SPACE(len))
		return;
	memcpy(msg->msg_control, &c, sizeof(c));
	memcpy(CMSG_DATA(msg->msg_control), value, len);
	msg->msg_control += CMSG_SPACE(len);
	msg->msg_controllen -= CMSG_SPACE(len);
}

static void controls_put(struct msghdr *msg)
{
	unsigned int which = input_byte(fuzz_input);
	struct in_pktinfo info = { .ipi_ifindex = 1 };
	int ttl = which;
	u8 tos = which;

	if (which & 1)
		control_put(msg, SOL_IP, IP_PKTINFO, &info, sizeof(info));
	if (which & 2)
		control_put(msg, SOL_IP, IP_TTL, &ttl, sizeof(ttl));
	if (which & 4)
		control_put(msg, SOL_IP, IP_TOS, &tos, sizeof(tos));
}

static struct sk_buff *queue_take(struct sk_buff_head *queue)
{
	struct sk_buff *skb = queue->first;

	if (skb)
		queue->first = skb->next;
	return skb;
}

static int recv_error(struct sock *sk, struct msghdr *msg)
{
	struct sk_buff *skb = queue_take(&sk->sk_error_queue);
	struct sock_extended_err ee = {
		.ee_errno = ECONNREFUSED,
		.ee_origin = input_byte(fuzz_input) & 3,
	};

	if (!skb)
		return -EAGAIN;
	consume_skb(skb);
	if (msg->msg_name)
		name_fill(msg->msg_name);
	control_put(msg, SOL_IP, IP_RECVERR, &ee, sizeof(ee));
	return 0;
}

static int recv_datagram(struct sock *sk, struct msghdr *msg, int flags)
{
	struct sk_buff_head *queue = &udp_sk(sk)->reader_queue;
	struct sk_buff *skb;
	int len;

	if (!queue->first)
		queue = &sk->sk_receive_queue;
	skb = queue->first;
	if (!skb)
		return -EAGAIN;
	len = min_t(unsigned int, skb->len, msg_data_left(msg));
	iter_copy(&msg->msg_iter, skb->data, len, false);
	if (flags & MSG_TRUNC)
		len = skb->len;
	if (flags & MSG_PEEK)
		return len;
	if (msg->msg_name)
		name_fill(msg->msg_name);
	if (msg->msg_control)
		controls_put(msg);
	consume_skb(queue_take(queue));
	return len;
}

/* TCP's bytes, or a part of SCTP's record */
static int recv_bytes(struct sock *sk, struct msghdr *msg)
{
	struct sk_buff *skb = sk->sk_receive_queue.first;
	size_t len = msg_data_left(msg);

	if (!skb)
		return sk->sk_shutdown & RCV_SHUTDOWN ? 0 : -EAGAIN;
	len = min_t(size_t, len, skb->len);
	if (len && input_byte(fuzz_input) & 1)
		len = 1 + input_byte(fuzz_input) % len;
	iter_copy(&msg->msg_iter, skb->data, len, false);
	skb->data += len;
	skb->len -= len;
	tcp_sk(sk)->copied_seq += len;
	if (tcp_sk(sk)->urg_data &&
	    (s32)(tcp_sk(sk)->copied_seq - tcp_sk(sk)->urg_seq) > 0)
		tcp_sk(sk)->urg_data = 0;
	if (!skb->len) {
		consume_skb(queue_take(&sk->sk_receive_queue));
		msg->msg_flags |= MSG_EOR;
	}
	return len;
}

int sock_recvmsg(struct socket *sock, struct msghdr *msg, int flags)
{
	int err = RESULT(ENOMEM, ENOBUFS, EAGAIN, ENOTCONN, ETIMEDOUT);

	fuzz_may_sleep();
	if (!(flags & MSG_DONTWAIT))
		fuzz_die("a receive that waits");
	if (flags & MSG_ERRQUEUE)
		return recv_error(sock->sk, msg);
	if (sock->sk->sk_err)
		return sock_error(sock->sk);
	if (err)
		return err;
	return sock->type == SOCK_STREAM ? recv_bytes(sock->sk, msg) :
					   recv_datagram(sock->sk, msg, flags);
}

int kernel_recvmsg(struct socket *sock, struct msghdr *msg, struct kvec *vec,
		   size_t n, size_t len, int flags)
{
	iov_iter_kvec(&msg->msg_iter, ITER_DEST, vec, n, len);
	return sock_recvmsg(sock, msg, flags);
}

int tcp_inq(struct sock *sk)
{
	const struct sk_buff *skb = sk->sk_receive_queue.first;
	int n = 0;

	for (; skb; skb = skb->next)
		n += skb->len;
	return n;
}

bool sk_stream_memory_free(const struct sock *sk)
{
	return input_byte(fuzz_input) & 1;
}

int sk_stream_wspace(const struct sock *sk)
{
	return input_short(fuzz_input);
}

int sk_wmem_alloc_get(const struct sock *sk)
{
	return input_byte(fuzz_input) << 12;
}

bool sock_writeable(const struct sock *sk)
{
	return !(input_byte(fuzz_input) & 1);
}

int __udp_disconnect(struct sock *sk, int flags)
{
	inet_sk(sk)->inet_num = 0;
	return 0;
}

static void arrive(struct sk_buff_head *queue, size_t len, bool good)
{
	struct sk_buff *skb, **at;
	int fail = stub_fail_at, locks = stub_locks;

	/* Not made by the code under test, nor now */
	stub_fail_at = 0;
	stub_locks = 0;
	skb = stub_skb(0, len, 0);
	stub_fail_at = fail;
	stub_locks = locks;
	memset(skb->data, 'r', len);
	skb->sum_is_unknown = !good;
	for (at = &queue->first; *at; at = &(*at)->next)
		continue;
	*at = skb;
}

/* The kind of an event, the rest of its byte says more */
enum { DATA, CONNECTION, CONNECTED, ERROR, END, URGENT, ROOM, GONE };

static void event(struct socket *sock, unsigned int what)
{
	struct sock *sk = sock->sk;
	struct tcp_sock *tp = tcp_sk(sk);

	switch (what & 7) {
	case DATA:
		if (sk->sk_state == TCP_LISTEN)
			break;
		arrive(what & 8 && sock->type == SOCK_DGRAM ?
		       &tp->reader_queue : &sk->sk_receive_queue,
		       input_byte(fuzz_input) * (what & 16 ? 79 : 1) +
		       (sock->type == SOCK_STREAM), !(what & 32));
		sk->sk_data_ready(sk);
		break;
	case CONNECTION:
		if (sk->sk_state != TCP_LISTEN)
			break;
		sock->waiting++;
		sk->sk_data_ready(sk);
		break;
	case CONNECTED:
		if (sk->sk_state != TCP_SYN_SENT)
			break;
		sk->sk_state = TCP_ESTABLISHED;
		sk->sk_state_change(sk);
		break;
	case ERROR:
		if (what & 8)
			arrive(&sk->sk_error_queue, 1, true);
		else
			sk->sk_err = ECONNRESET;
		sk->sk_error_report(sk);
		break;
	case END:
		sk->sk_shutdown |= RCV_SHUTDOWN;
		sk->sk_state_change(sk);
		break;
	case URGENT:
		tp->urg_data = 1;
		tp->urg_seq = tp->copied_seq + (what >> 3);
		break;
	case ROOM:
		sk->sk_write_space(sk);
		break;
	default:
		sk->sk_state = TCP_CLOSE;
		sk->sk_state_change(sk);
	}
}

void fuzz_sock_event(void)
{
	unsigned int which = input_byte(fuzz_input), what = input_byte(fuzz_input);
	struct socket *sock;

	if (!count)
		return;
	which %= count;
	list_for_each_entry(sock, &sockets, list)
		if (!which--)
			break;
	if (!sock->sk || sock->sk->locked)
		return;
	/* As a softirq */
	preempt_disable();
	rcu_read_lock();
	event(sock, what);
	rcu_read_unlock();
	preempt_enable();
}

void fuzz_sock_room(void)
{
	struct socket *sock;

	preempt_disable();
	list_for_each_entry(sock, &sockets, list)
		if (sock->sk)
			sock->sk->sk_write_space(sock->sk);
	preempt_enable();
}

void fuzz_sock_end(void)
{
	if (count)
		fuzz_die("a socket was not released");
}

size_t fuzz_sock_addr(struct input *in, unsigned char *at)
{
	struct sockaddr_in sin = { .sin_family = AF_INET };
	unsigned int b = input_byte(in);

	sin.sin_port = b & 3;
	sin.sin_addr.s_addr = b >> 2 & 3;
	memset(at, 0xff, PRIM_ADDR);
	if (b >= 0xf0)
		sin.sin_family = input_byte(in);
	memcpy(at, &sin, sizeof(sin));
	return b >= 0xe0 ? input_below(in, PRIM_ADDR) : sizeof(sin);
}
