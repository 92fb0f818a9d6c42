// SPDX-License-Identifier: GPL-2.0-only
/* Flow control along streams, pipes and FIFOs */
#include "unit.h"

/* Queue pairs: read queue, then write queue. */
struct end {
	queue_t rd, wr;
};

static struct end head, mod, drv, peer;

static void init(struct end *e, struct qinit *rd, struct qinit *wr, int flag)
{
	queue_init(&e->rd, rd, QREADR | flag, NULL, NULL);
	queue_init(&e->wr, wr, flag, NULL, NULL);
}

static void fini(struct end *e)
{
	queue_destroy(&e->rd);
	queue_destroy(&e->wr);
}

/* As plumbing does; m comes between the head h and what is below it. */
static void push(struct end *h, struct end *m)
{
	queue_t *below = h->wr.q_next;

	m->wr.q_next = below;
	m->rd.q_next = &h->rd;
	if (below)
		OTHERQ(below)->q_next = &m->rd;
	h->wr.q_next = &m->wr;
}

/* In a FIFO or pipe the lower neighbour is a read queue. */
static void push_bent(struct end *h, struct end *other, struct end *m)
{
	m->wr.q_next = h->wr.q_next;
	h->wr.q_next = &m->wr;
	m->rd.q_next = &h->rd;
	if (other == h)
		m->wr.q_next = &m->rd;
	else
		other->wr.q_next = &m->rd;
}

static void setup(struct qinit *m)
{
	init(&head, &without_service, &with_service, QHEAD);
	init(&mod, m, m, 0);
	init(&drv, &with_service, &with_service, 0);
	push(&head, &drv);
	drv.rd.q_next = &head.rd;
	push(&head, &mod);
}

static void teardown(void)
{
	fini(&head);
	fini(&mod);
	fini(&drv);
}

static mblk_t *sized(int band, size_t n)
{
	mblk_t *mp = allocb(n, BPRI_MED);

	mp->b_wptr += n;
	mp->b_band = band;
	return mp;
}

static void marks(void)
{
	int i;

	setup(&with_service);
	TRUE(canput(&drv.wr));
	for (i = 0; i < 9; i++)
		putq(&drv.wr, sized(0, 10));
	TRUE(canput(&drv.wr) && !(drv.wr.q_flag & QFULL));
	putq(&drv.wr, sized(0, 10));
	unit_enabled(&drv.wr);
	TRUE(drv.wr.q_flag & QFULL && !(drv.wr.q_flag & QWANTW));
	TRUE(!canputnext(&mod.wr) && drv.wr.q_flag & QWANTW);
	TRUE(bcanputnext(&mod.wr, 1));
	for (i = 10; i > 3; i--) {
		freemsg(getq(&drv.wr));
		TRUE(!(drv.wr.q_flag & QFULL));
		TRUE(canputnext(&mod.wr));
		TRUE(drv.wr.q_flag & QWANTW && !unit_enabled(&mod.wr));
	}
	freemsg(getq(&drv.wr));
	TRUE(drv.wr.q_count == LOWAT && !(drv.wr.q_flag & QWANTW));
	TRUE(unit_enabled(&mod.wr) == 1);
	freemsg(getq(&drv.wr));
	TRUE(!unit_enabled(&mod.wr));
	teardown();
}

static void bands_apart(void)
{
	setup(&with_service);
	putq(&drv.wr, sized(3, HIWAT));
	unit_enabled(&drv.wr);
	TRUE(canputnext(&mod.wr) && bcanputnext(&mod.wr, 2));
	TRUE(bcanputnext(&mod.wr, 4) && !bcanputnext(&mod.wr, 3));
	TRUE(bcanput(&drv.wr, 0) && bcanput(&drv.wr, 4) && !bcanput(&drv.wr, 3));
	putq(&drv.wr, sized(0, HIWAT));
	unit_enabled(&drv.wr);
	TRUE(!canputnext(&mod.wr));
	freemsg(getq(&drv.wr));
	TRUE(unit_enabled(&mod.wr) == 1 && bcanputnext(&mod.wr, 3));
	TRUE(!canputnext(&mod.wr));
	freemsg(getq(&drv.wr));
	TRUE(unit_enabled(&mod.wr) == 1);
	teardown();
}

/* 255 bands do not hold 255 times what one may. */
static void bands_together(void)
{
	int band, full = 0;

	setup(&with_service);
	for (band = 1; band < 256; band++) {
		if (!bcanputnext(&mod.wr, band)) {
			full++;
			continue;
		}
		putq(&drv.wr, sized(band, HIWAT - 1));
	}
	unit_enabled(&drv.wr);
	TRUE(full == 250);
	TRUE(canputnext(&mod.wr) && !bcanputnext(&mod.wr, 5));
	freemsg(getq(&drv.wr));
	TRUE(!unit_enabled(&mod.wr));
	freemsg(getq(&drv.wr));
	TRUE(unit_enabled(&mod.wr) == 1 && bcanputnext(&mod.wr, 5));
	/* A mark of the queue's own, as a pipe has it */
	drv.wr.q_abovehi = HIWAT / 4;
	TRUE(!bcanputnext(&mod.wr, 9) && canputnext(&mod.wr));
	flushq(&drv.wr, FLUSHALL);
	TRUE(unit_enabled(&mod.wr) == 1 && bcanputnext(&mod.wr, 9));
	teardown();
}

static void passes_over_queues_without_service(void)
{
	setup(&without_service);
	putq(&drv.wr, sized(0, HIWAT));
	putq(&mod.wr, sized(0, HIWAT));		/* never asked */
	unit_enabled(&drv.wr);
	TRUE(!canput(&mod.wr) && !canputnext(&head.wr));
	TRUE(!bcanput(&mod.wr, 0) && bcanput(&mod.wr, 1));
	TRUE(!(mod.wr.q_flag & QWANTW));
	freemsg(getq(&drv.wr));
	TRUE(unit_enabled(&head.wr) == 1);
	/* The head's read queue is the end, though it has no service procedure. */
	TRUE(canputnext(&drv.rd));
	putq(&head.rd, sized(0, HIWAT));
	TRUE(!canputnext(&drv.rd) && head.rd.q_flag & QWANTW);
	flushq(&head.rd, FLUSHALL);
	TRUE(unit_enabled(&drv.rd) == 1);
	teardown();
}

static void everything_back_enables(void)
{
	mblk_t *mp;

	setup(&with_service);
	mp = sized(0, HIWAT);
	putq(&head.rd, mp);
	TRUE(!canputnext(&mod.rd));
	rmvq(&head.rd, mp);
	TRUE(unit_enabled(&mod.rd) == 1);
	putbq(&head.rd, mp);
	TRUE(!canputnext(&mod.rd));
	TRUE(!strqset(&head.rd, QHIWAT, 0, 2 * HIWAT));
	TRUE(!unit_enabled(&mod.rd) && canputnext(&mod.rd));
	TRUE(!strqset(&head.rd, QLOWAT, 0, HIWAT));
	TRUE(unit_enabled(&mod.rd) == 1);
	TRUE(!strqset(&head.rd, QHIWAT, 0, 1) && !canputnext(&mod.rd));
	mp->b_rptr += HIWAT - 1;
	TRUE(!LOCKED(&head.rd, __q_consumed(&head.rd, mp, HIWAT - 1)));
	TRUE(!canputnext(&mod.rd));
	TRUE(!strqset(&head.rd, QHIWAT, 0, 0) && !canputnext(&mod.rd));
	flushband(&head.rd, 0, FLUSHDATA);	/* empty is never full */
	TRUE(unit_enabled(&mod.rd) == 1 && canputnext(&mod.rd));
	TRUE(!strqset(&head.rd, QHIWAT, 5, 10));
	putq(&head.rd, sized(5, 10));
	TRUE(!bcanputnext(&mod.rd, 5));
	flushq(&head.rd, FLUSHALL);
	TRUE(unit_enabled(&mod.rd) == 1 && bcanputnext(&mod.rd, 5));
	TRUE(!strqset(&head.rd, QLOWAT, 0, 0) &&
	     !strqset(&head.rd, QHIWAT, 0, 10));
	mp = sized(0, 10);
	putq(&head.rd, mp);
	TRUE(!canputnext(&mod.rd));
	mp->b_rptr += 9;
	TRUE(!LOCKED(&head.rd, __q_consumed(&head.rd, mp, 9)));
	freemsg(getq(&head.rd));
	TRUE(unit_enabled(&mod.rd) == 1);
	teardown();
}

static void neighbours(void)
{
	setup(&with_service);
	TRUE(!backq(&head.wr) && backq(&mod.wr) == &head.wr);
	TRUE(backq(&drv.wr) == &mod.wr && !backq(&drv.rd));
	TRUE(backq(&mod.rd) == &drv.rd && backq(&head.rd) == &mod.rd);
	TRUE(SAMESTR(&head.wr) && SAMESTR(&mod.wr) && !SAMESTR(&drv.wr));
	TRUE(SAMESTR(&drv.rd) && SAMESTR(&mod.rd) && !SAMESTR(&head.rd));
	TRUE(canputnext(&drv.wr));
	TRUE(RD(&mod.wr) == &mod.rd && WR(&mod.wr) == &mod.wr);
	TRUE(OTHERQ(&mod.rd) == &mod.wr && OTHERQ(&mod.wr) == &mod.rd);
	teardown();
}

static void fifo(void)
{
	init(&head, &without_service, &with_service, QHEAD);
	init(&mod, &without_service, &without_service, 0);
	head.wr.q_next = &head.rd;
	TRUE(backq(&head.rd) == &head.wr && !backq(&head.wr));
	TRUE(!SAMESTR(&head.wr));
	putq(&head.rd, sized(0, HIWAT));
	TRUE(!canputnext(&head.wr));
	freemsg(getq(&head.rd));
	TRUE(unit_enabled(&head.wr) == 1);

	push_bent(&head, &head, &mod);
	TRUE(backq(&mod.wr) == &head.wr && backq(&mod.rd) == &mod.wr);
	TRUE(backq(&head.rd) == &mod.rd);
	TRUE(SAMESTR(&head.wr) && !SAMESTR(&mod.wr) && SAMESTR(&mod.rd));
	putq(&head.rd, sized(0, HIWAT));
	TRUE(!canputnext(&head.wr));
	freemsg(getq(&head.rd));
	TRUE(unit_enabled(&head.wr) == 1);
	fini(&head);
	fini(&mod);
}

static void pipe_with_module(void)
{
	init(&head, &without_service, &with_service, QHEAD);
	init(&peer, &without_service, &with_service, QHEAD);
	init(&mod, &without_service, &without_service, 0);
	head.wr.q_next = &peer.rd;
	peer.wr.q_next = &head.rd;
	TRUE(backq(&peer.rd) == &head.wr && backq(&head.rd) == &peer.wr);

	push_bent(&head, &peer, &mod);
	TRUE(backq(&peer.rd) == &mod.wr && backq(&mod.wr) == &head.wr);
	TRUE(backq(&head.rd) == &mod.rd && backq(&mod.rd) == &peer.wr);
	TRUE(!backq(&head.wr) && !backq(&peer.wr));
	TRUE(!SAMESTR(&peer.wr) && !SAMESTR(&mod.wr) && SAMESTR(&head.wr));
	putq(&peer.rd, sized(0, HIWAT));
	TRUE(!canputnext(&head.wr) && canputnext(&peer.wr));
	freemsg(getq(&peer.rd));
	TRUE(unit_enabled(&head.wr) == 1);
	putq(&head.rd, sized(0, HIWAT));
	TRUE(!canputnext(&peer.wr));
	flushq(&head.rd, FLUSHDATA);
	TRUE(unit_enabled(&peer.wr) == 1);
	fini(&head);
	fini(&peer);
	fini(&mod);
}

const struct unit_test flow_tests[] = {
	{ "water marks: full, wanted, back-enabled", marks },
	{ "bands have flow control of their own", bands_apart },
	{ "all bands above 0 share a limit", bands_together },
	{ "queues without service are passed over",
	  passes_over_queues_without_service },
	{ "all that makes room back-enables", everything_back_enables },
	{ "backq(), SAMESTR() on a stream", neighbours },
	{ "a FIFO: around its bend", fifo },
	{ "a pipe: across its middle", pipe_with_module },
	{ }
};
