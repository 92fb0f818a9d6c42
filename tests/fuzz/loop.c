// SPDX-License-Identifier: GPL-2.0-only
/* ticlts, ticots and ticotsord: all of strtiloop and strtpi */
#include <linux/types.h>
#include <sys/tpi.h>
#include <sys/xti_inet.h>

#include "provider.h"

int fuzz_loop_init(void);

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
	return fuzz_loop_init();
}

/* There is nothing below. */
void provider_event(struct input *in, struct fuzz_stream *s)
{
}

void provider_go_on(void)
{
}

void provider_end(void)
{
	if (init_net.users != 1)
		fuzz_die("a reference to a network namespace is left");
}
