// SPDX-License-Identifier: GPL-2.0-only
/* socket-traffic.c - traffic on STREAMS sockets that are streams */
#include "socket-streams.h"

#include <sched.h>
#include <stdatomic.h>
#include <sys/bufmod.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>

/* Control messages of both directions are those of a native socket. */
static void filter_control(int a, struct sockaddr_in *a_name, int b)
{
	char control[256];
	struct iovec iov = { .iov_base = buf, .iov_len = sizeof(buf) };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *cm;
	bool info = false, stamp = false;
	int on = 1, ttl = 0;

	IS(setsockopt(a, IPPROTO_IP, IP_PKTINFO, &on, sizeof(on)), 0);
	IS(setsockopt(a, IPPROTO_IP, IP_RECVTTL, &on, sizeof(on)), 0);
	IS(setsockopt(a, SOL_SOCKET, SO_TIMESTAMP, &on, sizeof(on)), 0);
	msg.msg_control = control;
	cm = (struct cmsghdr *)control;
	*cm = (struct cmsghdr){ CMSG_LEN(sizeof(int)), IPPROTO_IP, IP_TTL };
	*(int *)CMSG_DATA(cm) = 77;
	msg.msg_controllen = CMSG_SPACE(sizeof(int));
	msg.msg_name = a_name;
	msg.msg_namelen = sizeof(*a_name);
	iov.iov_len = 3;
	IS(ioctl(b, I_PUSH, "nullmod"), 0);
	IS(sendmsg(b, &msg, 0), 3);
	msg.msg_controllen = sizeof(control);
	iov.iov_len = sizeof(buf);
	IS(recvmsg(a, &msg, 0), 3);
	for (cm = CMSG_FIRSTHDR(&msg); cm; cm = CMSG_NXTHDR(&msg, cm)) {
		if (cm->cmsg_level == SOL_SOCKET)
			stamp = cm->cmsg_type == SO_TIMESTAMP;
		else if (cm->cmsg_type == IP_TTL)
			ttl = *(int *)CMSG_DATA(cm);
		else if (cm->cmsg_type == IP_PKTINFO)
			info = ((struct in_pktinfo *)CMSG_DATA(cm))->ipi_addr.s_addr ==
			       htonl(INADDR_LOOPBACK);
	}
	IS(ttl, 77);
	TRUE(stamp && info);
}

/*
 * A datagram that the kernel queues by itself would bypass the module.
 */
static void refuse_native(int a)
{
	int on = 1;

	FAILS(setsockopt(a, IPPROTO_IP, IP_RECVERR, &on, sizeof(on)), EOPNOTSUPP);
	FAILS(setsockopt(a, IPPROTO_UDP, UDP_GRO, &on, sizeof(on)), EOPNOTSUPP);
	FAILS(setsockopt(a, IPPROTO_UDPLITE, UDP_GRO, &on, sizeof(on)), EOPNOTSUPP);
	IS(switched(a, IPPROTO_IP, IP_RECVERR, 0), 0);
	IS(switched(a, IPPROTO_UDP, UDP_GRO, 0), 0);
}

/*
 * A module that changes data changes both the data sent and the data received.
 */
static void run_filter(void)
{
	struct sockaddr_in a_name, b_name;
	int a = bound(&a_name), b = bound(&b_name), on = 1;
	size_t i;

	IS(ioctl(a, I_PUSH, "flipmod"), 0);
	IS(send_to(b, "Hello", 5, &a_name), 5);
	RECEIVES(a, "hELLO", b_name);
	IS(send_to(a, "Hello", 5, &b_name), 5);
	RECEIVES(b, "hELLO", a_name);
	/* Datagrams are in pieces, and on their way, too. */
	memset(buf, 'a', 65507);
	IS(send_to(b, buf, 65507, &a_name), 65507);
	IS(recv(a, buf, sizeof(buf), 0), 65507);
	for (i = 0; i < 65507; i++)
		TRUE(buf[i] == 'A');
	IS(connect(a, (struct sockaddr *)&b_name, sizeof(b_name)), 0);
	IS(write(a, "wRitten", 7), 7);
	RECEIVES(b, "WrITTEN", a_name);
	IS(send(a, "one, ", 5, MSG_MORE), 5);
	IS(send(a, "two", 3, 0), 3);
	RECEIVES(b, "ONE, TWO", a_name);
	filter_control(a, &a_name, b);
	refuse_native(a);
	close(a);
	a = sock();
	IS(setsockopt(a, IPPROTO_IP, IP_RECVERR, &on, sizeof(on)), 0);
	FAILS(ioctl(a, I_PUSH, "nullmod"), ENOTTY);
	IS(isastream(a), 0);
	close(a);
	close(b);
}

static struct {
	int fd;
	struct sockaddr_in to;
	atomic_bool stop;
	atomic_ulong sent;
} flood;

static void *flood_send(void *arg)
{
	while (!atomic_load(&flood.stop)) {
		send_to(flood.fd, "flood", 5, &flood.to);
		atomic_fetch_add(&flood.sent, 1);
	}
	return NULL;
}

/* Datagrams sent keep their control messages, whatever arrives meanwhile. */
static void run_crossing(void)
{
	unsigned long n = test_scaled(3000), i;
	int a, native = socket(AF_INET, SOCK_DGRAM, IPPROTO_UDP), on = 1;
	struct sockaddr_in name, to = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	char control[256], data[8];
	struct iovec iov = { .iov_base = data, .iov_len = 3 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *cm;
	pthread_t thread;

	IS(bind(native, (struct sockaddr *)&to, sizeof(to)), 0);
	IS(setsockopt(native, IPPROTO_IP, IP_RECVTTL, &on, sizeof(on)), 0);
	to = name_of(native);
	a = bound(&flood.to);
	flood.fd = bound(&name);
	IS(ioctl(a, I_PUSH, "nullmod"), 0);
	pthread_create(&thread, NULL, flood_send, NULL);
	for (i = 0; i < n; i++) {
		msg.msg_control = control;
		msg.msg_controllen = CMSG_SPACE(sizeof(int));
		cm = CMSG_FIRSTHDR(&msg);
		*cm = (struct cmsghdr){ CMSG_LEN(sizeof(int)), IPPROTO_IP,
					IP_TTL };
		*(int *)CMSG_DATA(cm) = 77;
		msg.msg_name = &to;
		msg.msg_namelen = sizeof(to);
		IS(sendmsg(a, &msg, 0), 3);
		msg.msg_name = NULL;
		msg.msg_controllen = sizeof(control);
		IS(recvmsg(native, &msg, 0), 3);
		cm = CMSG_FIRSTHDR(&msg);
		TRUE(cm && cm->cmsg_type == IP_TTL);
		IS(*(int *)CMSG_DATA(cm), 77);
	}
	atomic_store(&flood.stop, true);
	pthread_join(thread, NULL);
	close(flood.fd);
	close(a);
	close(native);
}

#define WINDOW	64	/* datagrams on their way at most: none is to be dropped */

static struct {
	int from, to;
	struct sockaddr_in dest;
	uint32_t count;
	atomic_uint received;
	bool by_getmsg;
	atomic_bool done;
} live;

static void *live_send(void *arg)
{
	static uint32_t data[128];
	uint32_t i;

	for (i = 0; i < live.count; i++) {
		while (i - atomic_load(&live.received) >= WINDOW)
			sched_yield();
		data[0] = i;
		data[i % 127 + 1] = i;
		IS(send_to(live.from, data, 4 * (i % 127 + 2), &live.dest),
		   4 * (i % 127 + 2));
	}
	return NULL;
}

static void *live_receive(void *arg)
{
	uint32_t data[128], i;
	struct strbuf c = { .maxlen = sizeof(in.ctl), .buf = in.ctl };
	struct strbuf d = { .maxlen = sizeof(data), .buf = (char *)data };

	for (i = 0; i < live.count; i++) {
		struct pollfd p = { .fd = live.to, .events = POLLIN };
		uint32_t n = 4 * (i % 127 + 2);
		int flags = 0;

		if (poll(&p, 1, WAIT_LIMIT_MS) != 1)
			test_fail(__FILE__, __LINE__, "%u did not come", i);
		if (live.by_getmsg && i & 1) {
			IS(getmsg(live.to, &c, &d, &flags), 0);
			IS(d.len, n);
		} else {
			IS(recv(live.to, data, sizeof(data), 0), n);
		}
		if (data[0] != i || data[i % 127 + 1] != i)
			test_fail(__FILE__, __LINE__, "%u came, not %u", data[0], i);
		atomic_store(&live.received, i + 1);
	}
	atomic_store(&live.done, true);
	return NULL;
}

/* Modules are pushed and popped at both ends while datagrams pass. */
static void live_traffic(void)
{
	static const char *const module[] = { "nullmod", "srvmod" };
	unsigned int seed = 7, pushed[2] = {}, changes = 0;
	struct sockaddr_in name;
	pthread_t sender, receiver;

	live.count = test_scaled(100000);
	live.to = bound(&live.dest);
	live.from = bound(&name);
	pthread_create(&sender, NULL, live_send, NULL);
	pthread_create(&receiver, NULL, live_receive, NULL);
	while (!atomic_load(&live.done)) {
		int side = rand_r(&seed) & 1;
		int fd = side ? live.from : live.to;

		/* The pause leaves time for traffic. */
		usleep(500);
		if (rand_r(&seed) & 1 && pushed[side] < 4) {
			IS(ioctl(fd, I_PUSH, module[rand_r(&seed) % 2]), 0);
			pushed[side]++;
			changes++;
		} else if (pushed[side]) {
			IS(ioctl(fd, I_POP, 0), 0);
			pushed[side]--;
			changes++;
		}
	}
	pthread_join(sender, NULL);
	pthread_join(receiver, NULL);
	printf("%u modules pushed and popped during %u datagrams\n", changes,
	       live.count);
	TRUE(changes > 10);
	close(live.to);
	close(live.from);
}

static void run_live(void)
{
	live_traffic();
}

static void run_live_getmsg(void)
{
	live.by_getmsg = true;
	live_traffic();
}

/* Chunks of bufmod arrive whole; a message that is too long is counted as dropped. */
static void run_chunks(void)
{
	struct sockaddr_in a_name, b_name, from;
	int a = bound(&a_name), b = bound(&b_name), size = 1 << 20;
	size_t one = 30000, i;

	IS(setsockopt(a, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size)), 0);
	IS(ioctl(a, I_PUSH, "bufmod"), 0);
	IS(str_number(a, SBIOCSFLAGS, SB_NO_HEADER), 0);
	/*
	 * Each datagram has a control part of its own, which is gathered too.
	 */
	IS(str_number(a, SBIOCSCHUNK, 2 * (one + 36)), 0);
	memset(buf, 'c', one);
	IS(send_to(b, buf, one, &a_name), one);
	FAILS(receive(a, MSG_DONTWAIT, &from), EAGAIN);
	IS(ioctl_int(a, FIONREAD), 0);
	memset(buf, 'c', one);
	IS(send_to(b, buf, one, &a_name), one);
	UNTIL(ioctl_int(a, FIONREAD) == (int)(2 * (one + 36)));
	IS(receive(a, MSG_PEEK, &from), 2 * (one + 36));
	IS(from.sin_family, 0);
	IS(receive(a, 0, &from), 2 * (one + 36));
	IS(from.sin_family, 0);
	for (i = 0; i < one; i++)
		TRUE(buf[36 + i] == 'c' && buf[one + 72 + i] == 'c');
	/* The buffer is larger than any datagram. */
	one = 65536 / 4 - 36;
	IS(str_number(a, SBIOCSCHUNK, 65536), 0);
	IS(dropped(a), 0);
	for (i = 0; i < 4; i++)
		IS(send_to(b, buf, one, &a_name), one);
	UNTIL(dropped(a) == 1);
	FAILS(receive(a, MSG_DONTWAIT, &from), EAGAIN);
	IS(ioctl(a, I_POP, 0), 0);
	IS(send_to(b, "on", 2, &a_name), 2);
	RECEIVES(a, "on", b_name);
	close(a);
	close(b);
}

/* Returns the bytes in the caches from which messages are allocated. */
static long message_memory(void)
{
	FILE *f = fopen("/proc/slabinfo", "r");
	long active, all, size, bytes = 0;
	char line[512], name[64];

	TRUE(f);
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%63s %ld %ld %ld", name, &active, &all,
			   &size) == 4 && !strncmp(name, "streams_", 8))
			bytes += active * size;
	}
	fclose(f);
	return bytes;
}

/* Messages that a module makes of unread datagrams are limited like the datagrams. */
static void run_flood(void)
{
	unsigned long n = test_scaled(20000), i;
	struct sockaddr_in a_name, b_name, from;
	int a = bound(&a_name), b = bound(&b_name);
	long before, kept = 0;

	IS(ioctl(a, I_PUSH, "bufmod"), 0);
	IS(str_number(a, SBIOCSFLAGS, SB_NO_DROPS), 0);
	IS(str_number(a, SBIOCSSNAP, 1), 0);
	IS(str_number(a, SBIOCSCHUNK, 64), 0);
	before = message_memory();
	for (i = 0; i < n; i++)
		IS(send_to(b, "flood", 5, &a_name), 5);
	printf("%ld bytes more after %lu datagrams\n",
	       message_memory() - before, n);
	TRUE(message_memory() - before < 400000);
	while (receive(a, MSG_DONTWAIT, &from) > 0)
		kept++;
	printf("%ld chunks kept\n", kept);
	TRUE(kept > 0 && kept < (long)n);
	close(a);
	close(b);
}

/* Prints the result of a receive call. */
static void told(char *to, int fd, int flags, size_t room)
{
	char control[512], data[70000];
	struct sockaddr_in from = {};
	struct iovec iov = { .iov_base = data, .iov_len = room };
	struct msghdr msg = {
		.msg_name = &from, .msg_namelen = sizeof(from),
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *cm;
	long n = recvmsg(fd, &msg, flags), i;
	unsigned int sum = 0;

	for (i = 0; i < n && i < (long)room; i++)
		sum = sum * 31 + (unsigned char)data[i];
	to += sprintf(to, "%ld %d sum %u flags %x name %u of %u;", n,
		      n < 0 ? errno : 0, sum, n < 0 ? 0 : msg.msg_flags,
		      n < 0 ? 0 : msg.msg_namelen, from.sin_addr.s_addr);
	for (cm = n < 0 ? NULL : CMSG_FIRSTHDR(&msg); cm;
	     cm = CMSG_NXTHDR(&msg, cm)) {
		to += sprintf(to, " %d/%d", cm->cmsg_level, cm->cmsg_type);
		/* Times differ between runs, and so do ports. */
		if (cm->cmsg_level == SOL_SOCKET || cm->cmsg_type == IP_ORIGDSTADDR)
			continue;
		for (i = 0; i < (long)(cm->cmsg_len - CMSG_LEN(0)); i++)
			to += sprintf(to, "%s%02x", i ? "" : "=",
				      CMSG_DATA(cm)[i]);
	}
	strcat(to, "\n");
}

static void tells(char *to, const char *what, long value)
{
	sprintf(to + strlen(to), "%s %ld\n", what, value);
}

/* The way in which a socket becomes a stream, or NONE */
enum stream_by { BY_NOTHING, BY_LIST, BY_MODULE, BY_PEEK };

static void become_stream(int fd, enum stream_by by)
{
	struct strpeek peek = {};

	switch (by) {
	case BY_NOTHING:
		break;
	case BY_LIST:
		IS(ioctl(fd, I_LIST, NULL), 2);
		break;
	case BY_MODULE:
		IS(ioctl(fd, I_PUSH, "nullmod"), 0);
		break;
	case BY_PEEK:
		IS(ioctl(fd, I_PEEK, &peek) >= 0, 1);
		break;
	}
}

#define DO(call) tells(to, #call, call)

/* The receiver gets all control messages; the sender gives them something to report. */
static void set_options(int fd, int out)
{
	static const int options[] = { IP_PKTINFO, IP_RECVTTL, IP_RECVTOS,
				       IP_RECVOPTS, IP_RETOPTS,
				       IP_RECVORIGDSTADDR };
	const unsigned char router_alert[] = { 148, 4, 0, 0 };
	int size = 4 << 20;
	size_t i;

	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	for (i = 0; i < COUNT(options); i++)
		IS(switched(fd, IPPROTO_IP, options[i], 1), 0);
	IS(switched(fd, SOL_SOCKET, SO_TIMESTAMP, 1), 0);
	IS(switched(fd, SOL_SOCKET, SO_RXQ_OVFL, 1), 0);
	IS(switched(out, IPPROTO_IP, IP_TTL, 33), 0);
	IS(switched(out, IPPROTO_IP, IP_TOS, 16), 0);
	IS(setsockopt(out, IPPROTO_IP, IP_OPTIONS, router_alert,
		      sizeof(router_alert)), 0);
}

/* Prints all that a program can see of a socket that receives datagrams. */
static void watch(char *to, int proto, enum stream_by by)
{
	static const int sizes[] = { 0, 1, 1400, 9000, 40000, 65507 };
	static char data[65507];
	int fd = socket(AF_INET, SOCK_DGRAM, proto);
	int out = socket(AF_INET, SOCK_DGRAM, IPPROTO_UDP);
	struct sockaddr_in name = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	size_t i;

	*to = '\0';
	TRUE(fd >= 0 && out >= 0);
	IS(bind(fd, (struct sockaddr *)&name, sizeof(name)), 0);
	name = name_of(fd);
	if (by != BY_PEEK)
		become_stream(fd, by);
	set_options(fd, out);
	for (i = 0; i < sizeof(data); i++)
		data[i] = i % 251;
	DO(polled(fd));
	for (i = 0; i < COUNT(sizes); i++)
		IS(send_to(out, data, sizes[i] ? sizes[i] - 4 * (sizes[i] == 65507) : 0,
			   &name), sizes[i] - 4 * (sizes[i] == 65507));
	UNTIL(polled(fd) & POLLIN);
	DO(polled(fd));
	for (i = 0; i < COUNT(sizes); i++) {
		if (by == BY_PEEK)
			become_stream(fd, by);
		UNTIL(polled(fd) & POLLIN);
		DO(ioctl_int(fd, FIONREAD));
		told(to + strlen(to), fd, MSG_PEEK, 100);
		told(to + strlen(to), fd, i & 1 ? MSG_TRUNC : 0, i % 3 ? 70000 : 1);
	}
	DO(polled(fd));
	told(to + strlen(to), fd, MSG_DONTWAIT, 1);
	/* Peeking continues at an offset. */
	IS(switched(fd, SOL_SOCKET, SO_PEEK_OFF, 3), 0);
	IS(send_to(out, "peek offset", 11, &name), 11);
	IS(send_to(out, "another", 7, &name), 7);
	if (by == BY_PEEK)
		become_stream(fd, by);
	told(to + strlen(to), fd, MSG_PEEK, 2);
	told(to + strlen(to), fd, MSG_PEEK, 2);
	told(to + strlen(to), fd, 0, 100);
	told(to + strlen(to), fd, 0, 100);
	/* No datagram is left, and a refused datagram is reported. */
	DO(polled(fd));
	IS(connect(fd, (struct sockaddr *)&name, sizeof(name)), 0);
	IS(shutdown(fd, SHUT_RD), 0);
	DO(polled(fd));
	told(to + strlen(to), fd, 0, 100);
	close(fd);
	close(out);
}

/* Receive calls, poll() and options give the same results for a stream as natively. */
static void run_native(void)
{
	static const char *const how[] = { "no stream", "sockmod", "nullmod",
					   "I_PEEK" };
	static char native[20000], stream[20000];
	int by;

	watch(native, IPPROTO_UDP, BY_NOTHING);
	for (by = BY_NOTHING; by <= BY_PEEK; by++) {
		watch(stream, IPPROTO_STREAMS, by);
		if (strcmp(native, stream)) {
			printf("natively:\n%s%s:\n%s", native, how[by],
			       stream);
			test_fail(__FILE__, __LINE__, "not the same");
		}
		test_checks++;
	}
}

/* Sends to an unused port, until the answer to that has arrived. */
static void send_refused(int fd)
{
	struct pollfd p = { .fd = fd };

	IS(send(fd, "x", 1, 0), 1);
	IS(poll(&p, 1, WAIT_LIMIT_MS), 1);
	IS(p.revents, POLLERR);
}

/* A pending error is not consumed by a call with bad arguments. */
static void run_errors(void)
{
	struct strio_msg bad = { .flags = MSG_HIPRI | MSG_BAND };
	struct sockaddr_in name, nobody;
	int a = bound(&name), b = bound(&nobody), error = 0;
	socklen_t len = sizeof(error);

	IS(ioctl(a, I_PUSH, "nullmod"), 0);
	close(b);
	IS(connect(a, (struct sockaddr *)&nobody, sizeof(nobody)), 0);
	send_refused(a);
	FAILS(ioctl(a, STRIO_GETMSG, &bad), EINVAL);
	IS(getsockopt(a, SOL_SOCKET, SO_ERROR, &error, &len), 0);
	IS(error, ECONNREFUSED);
	send_refused(a);
	bad = (struct strio_msg){ .flags = MSG_ANY };
	FAILS(ioctl(a, STRIO_GETMSG, &bad), ECONNREFUSED);
	/*
	 * A broken stream sends no signal with MSG_NOSIGNAL: a signal would end
	 * this process.
	 */
	IS(ioctl(a, I_SWROPT, SNDPIPE), 0);
	IS(send_prim(a, 2, NULL, 0, 0), 0);
	FAILS(send(a, "x", 1, MSG_NOSIGNAL), EPROTO);
	FAILS(send(a, "x", 1, 0), EPROTO);
	close(a);
}

/* The send buffer stays full for nearly this many seconds. */
#define SNDBUF_DATAGRAMS	6

/* Sends numbers, more than the send buffer holds. */
static void *send_waiting(void *arg)
{
	static char data[1000];

	for (; data[0] < SNDBUF_DATAGRAMS; data[0]++)
		IS(send_to(flood.fd, data, sizeof(data), arg), sizeof(data));
	atomic_store(&flood.stop, true);
	return NULL;
}

/*
 * On a line of one datagram a second, a task that waits for send buffer does
 * not keep others from sending, or from looking, without waiting.
 */
static void run_sndbuf(void)
{
	int native = socket(AF_INET, SOCK_DGRAM, IPPROTO_UDP), i;
	struct sockaddr_in name, to = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	pthread_t thread;

	IS(bind(native, (struct sockaddr *)&to, sizeof(to)), 0);
	to = name_of(native);
	flood.fd = bound(&name);
	IS(switched(flood.fd, SOL_SOCKET, SO_SNDBUF, 1), 0);
	IS(ioctl(flood.fd, I_PUSH, "nullmod"), 0);
	thread = thread_asleep(send_waiting, &to);
	FAILS(sendto(flood.fd, "x", 1, MSG_DONTWAIT, (void *)&to, sizeof(to)),
	      EAGAIN);
	put_simple(flood.fd, T_INFO_REQ);
	receive_prim(flood.fd, T_INFO_ACK);
	TRUE(!atomic_load(&flood.stop));
	pthread_join(thread, NULL);
	for (i = 0; i < SNDBUF_DATAGRAMS; i++) {
		IS(recv(native, buf, sizeof(buf), 0), 1000);
		IS(buf[0], i);
	}
	close(flood.fd);
	close(native);
}

/* close() of the socket does not wait, as with any socket. */
static void run_closing(void)
{
	struct timespec from, to;
	struct sockaddr_in name;
	int i, fd[100];
	long ms, longest = 0;

	for (i = 0; i < 100; i++) {
		fd[i] = bound(&name);
		IS(ioctl(fd[i], I_PUSH, "nullmod"), 0);
	}
	for (i = 0; i < 100; i++) {
		clock_gettime(CLOCK_MONOTONIC, &from);
		close(fd[i]);
		clock_gettime(CLOCK_MONOTONIC, &to);
		ms = (to.tv_sec - from.tv_sec) * 1000 +
		     (to.tv_nsec - from.tv_nsec) / 1000000;
		if (ms > longest)
			longest = ms;
	}
	printf("100 sockets were closed, none in more than %ld ms\n", longest);
	/* A close that waits for its stream's messages does so for 15 seconds. */
	TRUE(longest < 15000);
}

/* Echoes datagrams as a program that knows nothing of STREAMS. */
static void run_echo(void)
{
	struct sockaddr_in name = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) }, from;
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	long n;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	IS(bind(fd, (struct sockaddr *)&name, sizeof(name)), 0);
	printf("%d %d\n", fd, ntohs(name_of(fd).sin_port));
	fflush(stdout);
	while ((n = receive(fd, 0, &from)) > 0)
		IS(send_to(fd, buf, n, &from), n);
}

/* Runs that program with the library, and obtains its socket. */
static int preloaded_echo(pid_t *pid, struct sockaddr_in *to)
{
	const char *lib = getenv("LIBSTRSOCK");
	int fds[2], fd, port;
	FILE *f;

	TRUE(lib);
	IS(pipe(fds), 0);
	*pid = fork();
	if (!*pid) {
		dup2(fds[1], 1);
		setenv("LD_PRELOAD", lib, 1);
		setenv("STRSOCK_REQUIRE", "1", 1);
		execl("/proc/self/exe", "socket-traffic", "echo", NULL);
		_exit(127);
	}
	close(fds[1]);
	f = fdopen(fds[0], "r");
	IS(fscanf(f, "%d %d", &fd, &port), 2);
	fclose(f);
	*to = (struct sockaddr_in){ .sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	return syscall(SYS_pidfd_getfd, syscall(SYS_pidfd_open, *pid, 0), fd, 0);
}

/*
 * Modules are pushed and popped on its socket meanwhile; two flipmods cancel
 * each other.
 */
static void run_preloaded(void)
{
	static const char *const module[] = { "nullmod", "srvmod", "flipmod" };
	unsigned int n = test_scaled(4000), next = 0, sent = 0, pushed = 0;
	unsigned int seed = 11, changes = 0;
	struct sockaddr_in to, from;
	int native = socket(AF_INET, SOCK_DGRAM, IPPROTO_UDP), fd;
	struct pollfd p = { .fd = native, .events = POLLIN };
	pid_t pid;

	fd = preloaded_echo(&pid, &to);
	TRUE(fd >= 0);
	IS(isastream(fd), 1);
	while (next < n) {
		uint32_t data[2 + 20] = { sent, };

		if (sent < n && sent - next < 16) {
			memset(data + 2, 'z', sizeof(data) - 8);
			data[1] = sent % 20;
			IS(send_to(native, data, 8 + 4 * data[1], &to),
			   8 + 4 * data[1]);
			sent++;
			continue;
		}
		if (poll(&p, 1, WAIT_LIMIT_MS) != 1)
			test_fail(__FILE__, __LINE__, "%u did not come", next);
		IS(receive(native, 0, &from), 8 + 4 * (next % 20));
		memcpy(data, buf, 8);
		/*
		 * Numbers contain no letters: they arrive unchanged, in order.
		 */
		IS(data[0] & ~0x20202020, next & ~0x20202020);
		next++;
		if (next % 8)
			continue;
		if (rand_r(&seed) & 1 && pushed < 4) {
			IS(ioctl(fd, I_PUSH, module[rand_r(&seed) % 3]), 0);
			pushed++;
			changes++;
		} else if (pushed) {
			IS(ioctl(fd, I_POP, 0), 0);
			pushed--;
			changes++;
		}
	}
	printf("%u modules pushed and popped during %u datagrams\n", changes, n);
	kill(pid, SIGKILL);
	IS(waitpid(pid, NULL, 0), pid);
	close(fd);
	close(native);
}

static const struct test_case cases[] = {
	{ "native", run_native },
	{ "filter", run_filter },
	{ "crossing", run_crossing },
	{ "chunks", run_chunks },
	{ "flood", run_flood },
	{ "errors", run_errors },
	{ "sndbuf", run_sndbuf },
	{ "closing", run_closing },
	{ "echo", run_echo },
	{ "preloaded", run_preloaded },
	{ "live", run_live },
	{ "live-getmsg", run_live_getmsg },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
