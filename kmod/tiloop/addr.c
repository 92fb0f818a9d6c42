// SPDX-License-Identifier: GPL-2.0-only
/*
 * Addresses of the loopback transports
 *
 * Any bytes, known within a network namespace, to one of the drivers. An
 * endpoint that accepted a connection unbound has its listener's address
 * without being in the table.
 */
#include <linux/hashtable.h>
#include <linux/jhash.h>
#include <linux/random.h>
#include <linux/spinlock.h>
#include <net/netns/hash.h>

#include "addr.h"
#include "end.h"

#define TABLE_BITS	10
/* The addresses to try before reporting that none is free */
#define TRIES		1000

static DEFINE_HASHTABLE(table, TABLE_BITS);
static DEFINE_SPINLOCK(table_lock);
static u32 seed;
static u32 next_free;			/* under table_lock */

void tiloop_addr_init(void)
{
	seed = get_random_u32();
}

static u32 addr_hash(const struct tiloop_end *ep, const struct tiloop_addr *addr)
{
	return jhash(addr->bytes, addr->len,
		     seed ^ ep->kind->salt ^ net_hash_mix(ep->net));
}

/* The caller holds table_lock. */
static struct tiloop_end *table_find(const struct tiloop_end *like,
				     const struct tiloop_addr *addr)
{
	struct tiloop_end *ep;

	lockdep_assert_held(&table_lock);
	hash_for_each_possible(table, ep, hash, addr_hash(like, addr)) {
		if (ep->kind == like->kind && net_eq(ep->net, like->net) &&
		    ep->addr.len == addr->len &&
		    !memcmp(ep->addr.bytes, addr->bytes, addr->len))
			return ep;
	}
	return NULL;
}

/*
 * Chooses a free address of a few bytes, which a user can type. Returns false
 * if none is free.
 */
static bool table_free(const struct tiloop_end *ep, struct tiloop_addr *addr)
{
	int tries;

	lockdep_assert_held(&table_lock);
	addr->len = sizeof(next_free);
	for (tries = 0; tries < TRIES; tries++) {
		next_free++;
		memcpy(addr->bytes, &next_free, sizeof(next_free));
		if (!table_find(ep, addr))
			return true;
	}
	return false;
}

/**
 * tiloop_addr_get() - read an address out of a primitive
 * @addr: the destination
 * @mp: the message
 * @offset: where it is in the message, bytes
 * @length: bytes
 *
 * Return: whether there is one, of a length that addresses have.
 */
bool tiloop_addr_get(struct tiloop_addr *addr, const mblk_t *mp, t_scalar_t offset,
		     t_scalar_t length)
{
	const void *at = tpi_span(mp, offset, length);

	if (!at || !length || length > LOOP_ADDR_MAX)
		return false;
	addr->len = length;
	memcpy(addr->bytes, at, length);
	return true;
}

/**
 * tiloop_addr_bind() - give an endpoint an address
 * @ep: the endpoint, which has none
 * @addr: the address; of length 0: any that is free
 * @qlen: how many connections may wait there
 *
 * Context: any. Return: 0, TADDRBUSY or TNOADDR.
 */
int tiloop_addr_bind(struct tiloop_end *ep, const struct tiloop_addr *addr, u32 qlen)
{
	struct tiloop_addr any;
	int tli = 0;

	spin_lock_bh(&table_lock);
	if (!addr->len) {
		tli = table_free(ep, &any) ? 0 : TNOADDR;
		addr = &any;
	} else if (table_find(ep, addr)) {
		tli = TADDRBUSY;
	}
	if (!tli) {
		ep->addr = *addr;
		ep->qlen = qlen;
		hash_add(table, &ep->hash, addr_hash(ep, addr));
	}
	spin_unlock_bh(&table_lock);
	return tli;
}

/* Removes the address, if there is one. Context: any. */
void tiloop_addr_unbind(struct tiloop_end *ep)
{
	spin_lock_bh(&table_lock);
	if (hash_hashed(&ep->hash))
		hash_del(&ep->hash);
	ep->addr.len = 0;
	ep->qlen = 0;
	spin_unlock_bh(&table_lock);
}

/**
 * tiloop_addr_find() - find the endpoint with an address
 * @ep: the endpoint that asks
 * @addr: the address
 *
 * Context: any. Return: the endpoint, with a reference, or NULL.
 */
struct tiloop_end *tiloop_addr_find(const struct tiloop_end *ep,
				    const struct tiloop_addr *addr)
{
	struct tiloop_end *found;

	spin_lock_bh(&table_lock);
	found = table_find(ep, addr);
	if (found)
		tiloop_end_get(found);
	spin_unlock_bh(&table_lock);
	return found;
}
