// SPDX-License-Identifier: GPL-2.0-only
/* ticlts, ticots and ticotsord: all of strtiloop and strtpi */
#include <linux/types.h>
#include <sys/tpi.h>
#include <sys/xti_inet.h>

#include "tiloop/wire.h"
#include "provider.h"

int fuzz_tiloop_init(void);

/* One of few, so that they meet; or any. */
static size_t addr(struct input *in, unsigned char *at)
{
	unsigned int b = input_byte(in);
	size_t len = b < 0xf0 ? 1 : PRIM_ADDR - (b & 15);

	memset(at, 'a' + (b & 3), len);
	return len;
}

static const u32 levels[] = { XTI_GENERIC, XTI_GENERIC, T_INET_IP, 0 };

const struct prim_kind provider_kind = { .addr = addr, .levels = levels };

int provider_start(void)
{
	static struct nsproxy nsproxy = { .net_ns = &init_net };

	fuzz_task.nsproxy = &nsproxy;
	return fuzz_tiloop_init();
}

/* There is nothing below. */
void provider_event(struct input *in, struct fuzz_stream *s)
{
}

/* The calls of a listener are counted, and there are some in two states alone. */
void provider_check(const struct fuzz_stream *s)
{
	const struct tiloop_end *ep = tiloop_end(&s->pair->rd);
	const struct tiloop_call *call;
	unsigned int n = 0;

	list_for_each_entry(call, &ep->calls, list)
		n++;
	if (n != ep->ncalls)
		fuzz_die("calls that wait are counted wrong");
	if (!n != (ep->state != TS_WRES_CIND && ep->state != TS_WACK_CRES))
		fuzz_die("a state that does not agree with the calls that wait");
	if (!ep->conn != (ep->state != TS_WCON_CREQ && ep->state != TS_DATA_XFER &&
			  ep->state != TS_WIND_ORDREL && ep->state != TS_WREQ_ORDREL))
		fuzz_die("a state that does not agree with the connection");
}

void provider_go_on(void)
{
}

void provider_end(void)
{
	if (init_net.users != 1)
		fuzz_die("a reference to a network namespace is left");
}
