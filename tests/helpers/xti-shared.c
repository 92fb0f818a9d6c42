// SPDX-License-Identifier: GPL-2.0-only
/* xti-shared.c - several that use one endpoint, on a provider that the test plays */
#include "xti-cots.h"

static void *receiver(void *arg)
{
	struct provider *p = arg;
	char b[16];
	int f;

	TIS(t_rcv(p->user, b, sizeof(b), &f), 4);
	return NULL;
}

static void *requester(void *arg)
{
	struct provider *p = arg;
	struct t_optmgmt opt = { .opt = NETBUF(opt_buf, 8), .flags = T_CHECK };
	int i;

	for (i = 0; i < 100; i++) {
		TIS(t_optmgmt(p->user, &opt, NULL), 0);
		TIS(t_snd(p->user, data_buf, 16, 0), 16);
	}
	return NULL;
}

/* While one waits others send, and make requests of the same endpoint. */
static void run_threads(void)
{
	struct provider *p = provider_new(T_COTS_ORD);
	pthread_t waits, asks[2], cancelled;
	int i;

	go(p, T_DATAXFER);
	pthread_create(&cancelled, NULL, receiver, p);
	usleep(50000);
	pthread_cancel(cancelled);
	pthread_join(cancelled, NULL);
	pthread_create(&waits, NULL, receiver, p);
	for (i = 0; i < 2; i++)
		pthread_create(&asks[i], NULL, requester, p);
	for (i = 0; i < 200; i++)
		IS(provider_got(p, T_DATA_REQ).data_len, 16);
	for (i = 0; i < 2; i++)
		pthread_join(asks[i], NULL);
	provider_data_ind(p, T_DATA_IND, false, "done");
	pthread_join(waits, NULL);
	provider_free(p);
}

static const struct test_case cases[] = {
	{ "threads", run_threads },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
