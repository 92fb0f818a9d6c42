// SPDX-License-Identifier: GPL-2.0-only
/*
 * The network device of an endpoint: taps, promiscuous levels, group
 * addresses, and the events of the device. All under the RTNL.
 *
 * No reference to the device is taken: the notifier detaches it when it leaves
 * the namespace, and before it changes its type. Unregistering a device waits for
 * a grace period after the notifiers, before the device is freed.
 */
#include <linux/if_arp.h>
#include <linux/rtnetlink.h>
#include <net/net_namespace.h>

#include "end.h"
#include "frame.h"
#include "link.h"
#include "rcv.h"
#include "up.h"

/* All endpoints that have a device, by its address. */
static DEFINE_HASHTABLE(attached, 8);

/* Returns the type of the frames to be received: ETH_P_ALL ...; 0: none. */
static __be16 link_wants(const struct dlpi_bind *bind, u8 promisc)
{
	if (promisc & (DLPI_PHYS | DLPI_SAPS) || (promisc && !bind->bound))
		return htons(ETH_P_ALL);
	if (!bind->bound)
		return 0;
	return dlpi_is_type(bind->sap) ? htons(bind->sap) : htons(ETH_P_802_2);
}

bool dlpi_link_prepare(struct dlpi_end *ep)
{
	int i;

	for (i = 0; i < DLPI_TAPS; i++) {
		if (!ep->spare[i])
			ep->spare[i] = kzalloc(sizeof(*ep->spare[i]),
					       GFP_KERNEL_ACCOUNT);
		if (!ep->spare[i])
			return false;
	}
	return true;
}

void dlpi_link_forget(struct dlpi_end *ep)
{
	int i;

	for (i = 0; i < DLPI_TAPS; i++)
		kfree(ep->spare[i]);
}

/* Begins to receive by a spare tap. */
static void link_tap_add(struct dlpi_end *ep, int i, const struct dlpi_bind *bind,
			 __be16 type)
{
	struct dlpi_tap *tap = ep->spare[i];

	ep->spare[i] = NULL;
	ep->taps[i] = tap;
	tap->bind = *bind;
	tap->bare = ep->bare;
	tap->pt.type = type;
	tap->pt.dev = rtnl_dereference(ep->dev);
	tap->pt.func = dlpi_rcv;
	/* The endpoint does not receive the frames that it has sent. */
	tap->pt.af_packet_priv = &ep->sk;
	tap->pt.af_packet_net = sock_net(&ep->sk);
	dev_add_pack(&tap->pt);
}

/* The function does not wait for taps that run. */
static void link_taps_remove(struct dlpi_end *ep)
{
	int i;

	for (i = 0; i < DLPI_TAPS; i++) {
		if (!ep->taps[i])
			continue;
		__dev_remove_pack(&ep->taps[i]->pt);
		kfree_rcu(ep->taps[i], rcu);
		ep->taps[i] = NULL;
		ep->untapped = true;
	}
}

/* Replaces the taps. */
static void link_retap(struct dlpi_end *ep, const struct dlpi_bind *bind,
		       u8 promisc)
{
	__be16 type = link_wants(bind, promisc);

	link_taps_remove(ep);
	if (type)
		link_tap_add(ep, 0, bind, type);
	/* Frames without LLC, of Novell's form, are for SAP 0 alone. */
	if (type == htons(ETH_P_802_2) && !bind->sap)
		link_tap_add(ep, 1, bind, htons(ETH_P_802_3));
}

/**
 * dlpi_link_bind() - receive for another binding
 * @ep: the endpoint, with a device
 * @bind: the binding, or that there is none
 */
void dlpi_link_bind(struct dlpi_end *ep, const struct dlpi_bind *bind)
{
	link_retap(ep, bind, ep->promisc);
	ep->bind = *bind;
}

/* Devices whose frames are Ethernet's, or have no header at all. */
static bool link_is_known(const struct net_device *dev)
{
	if (dev->type == ARPHRD_ETHER || dev->type == ARPHRD_LOOPBACK)
		return dev->addr_len == ETH_ALEN && dev_has_header(dev);
	return !dev->addr_len && !dev_has_header(dev);
}

static int link_attach(struct dlpi_end *ep, struct net_device *dev)
{
	if (!dev || dev->reg_state != NETREG_REGISTERED || !link_is_known(dev))
		return -ENODEV;
	/*
	 * The flag is set before the device is published: its readers read
	 * both.
	 */
	ep->bare = !dev->addr_len;
	rcu_assign_pointer(ep->dev, dev);
	hash_add(attached, &ep->node, (unsigned long)dev);
	return 0;
}

/**
 * dlpi_link_attach() - give an endpoint the device of a number
 * @ep: the endpoint, without a device
 * @ppa: the index of an interface in the opener's namespace
 *
 * Return: whether there is such a device, of a known kind: 0 or -ENODEV.
 */
int dlpi_link_attach(struct dlpi_end *ep, u32 ppa)
{
	struct net_device *dev = NULL;

	if (ppa <= INT_MAX)
		dev = __dev_get_by_index(sock_net(&ep->sk), ppa);
	return link_attach(ep, dev);
}

/*
 * Attaches the endpoint to the device that now has this name in the opener's
 * namespace.
 */
int dlpi_link_attach_named(struct dlpi_end *ep, const char *name)
{
	return link_attach(ep, __dev_get_by_name(sock_net(&ep->sk), name));
}

static int link_level(struct net_device *dev, u32 level, int inc)
{
	switch (level) {
	case DL_PROMISC_PHYS:
		return dev_set_promiscuity(dev, inc);
	case DL_PROMISC_MULTI:
		return dev_set_allmulti(dev, inc);
	default:
		return 0;
	}
}

/**
 * dlpi_link_promisc() - turn a promiscuous level on or off
 * @ep: the endpoint
 * @level: DL_PROMISC_PHYS ...
 * @on: turn it on
 *
 * Return: 0; or a negative error, -EALREADY: it is like that.
 */
int dlpi_link_promisc(struct dlpi_end *ep, u32 level, bool on)
{
	struct net_device *dev = rtnl_dereference(ep->dev);
	u8 promisc = ep->promisc ^ DLPI_LEVEL(level);
	int err;

	if (!(promisc & DLPI_LEVEL(level)) == on)
		return -EALREADY;
	err = link_level(dev, level, on ? 1 : -1);
	if (err)
		return err;
	if (link_wants(&ep->bind, promisc) != link_wants(&ep->bind, ep->promisc))
		link_retap(ep, &ep->bind, promisc);
	WRITE_ONCE(ep->promisc, promisc);
	return 0;
}

static u64 *link_group_find(struct dlpi_end *ep, u64 group)
{
	int i;

	for (i = 0; i < DLPI_GROUPS; i++) {
		if (ep->groups[i] == group)
			return &ep->groups[i];
	}
	return NULL;
}

/**
 * dlpi_link_group() - enable or disable a group address
 * @ep: the endpoint
 * @group: the address, one of a group
 * @on: enable it
 *
 * Return: 0; or a negative error, -ENOENT: it is not enabled, -ENOSPC: too many are.
 */
int dlpi_link_group(struct dlpi_end *ep, const u8 *group, bool on)
{
	struct net_device *dev = rtnl_dereference(ep->dev);
	u64 *slot = link_group_find(ep, ether_addr_to_u64(group));
	int err;

	if (!on) {
		if (!slot)
			return -ENOENT;
		WRITE_ONCE(*slot, 0);
		dev_mc_del(dev, group);
		return 0;
	}
	if (slot)
		return 0;
	slot = link_group_find(ep, 0);
	if (!slot)
		return -ENOSPC;
	err = dev_mc_add(dev, group);
	if (!err)
		WRITE_ONCE(*slot, ether_addr_to_u64(group));
	return err;
}

static void link_groups_leave(struct dlpi_end *ep, struct net_device *dev)
{
	u8 group[ETH_ALEN];
	int i;

	for (i = 0; i < DLPI_GROUPS; i++) {
		if (!ep->groups[i])
			continue;
		u64_to_ether_addr(ep->groups[i], group);
		dev_mc_del(dev, group);
		WRITE_ONCE(ep->groups[i], 0);
	}
}

/* Detaches the device. */
static void link_leave(struct dlpi_end *ep, struct net_device *dev)
{
	u32 level;

	link_taps_remove(ep);
	for (level = DL_PROMISC_PHYS; level <= DL_PROMISC_MULTI; level++) {
		if (ep->promisc & DLPI_LEVEL(level))
			link_level(dev, level, -1);
	}
	WRITE_ONCE(ep->promisc, 0);
	link_groups_leave(ep, dev);
	RCU_INIT_POINTER(ep->dev, NULL);
	ep->notes = 0;
	hash_del(&ep->node);
}

void dlpi_link_detach(struct dlpi_end *ep)
{
	struct net_device *dev = rtnl_dereference(ep->dev);

	if (dev)
		link_leave(ep, dev);
}

/* Sends a message up, if the stream is still open. */
static void link_up(struct dlpi_end *ep, mblk_t *mp)
{
	rcu_read_lock();
	if (READ_ONCE(ep->open))
		dlpi_up_pass(ep, mp, false);
	else
		freemsg(mp);
	rcu_read_unlock();
}

/* Handles a device that has left the namespace, or will be of another kind. */
static void link_gone(struct net_device *dev)
{
	struct hlist_node *next;
	struct dlpi_end *ep;

	hash_for_each_possible_safe(attached, ep, next, node, (unsigned long)dev) {
		if (rcu_access_pointer(ep->dev) != dev)
			continue;
		link_leave(ep, dev);
		link_up(ep, ep->hangup);
		ep->hangup = NULL;
		cond_resched();
	}
}

static mblk_t *note_make(u32 note, u32 data, const void *addr, size_t len)
{
	dl_notify_ind_t *ind;
	mblk_t *mp = allocb_gfp(sizeof(*ind) + len, GFP_KERNEL);

	if (!mp)
		return NULL;
	DB_TYPE(mp) = M_PROTO;
	/*
	 * A note is not charged to the receive buffer; the data of a frame is.
	 */
	mp->b_flag |= MSGOBJECT;
	ind = (dl_notify_ind_t *)mp->b_rptr;
	*ind = (dl_notify_ind_t){
		.dl_primitive = DL_NOTIFY_IND,
		.dl_notification = note,
		.dl_data = data,
		.dl_addr_length = len,
		.dl_addr_offset = len ? sizeof(*ind) : 0,
	};
	memcpy(ind + 1, addr, len);
	mp->b_wptr += sizeof(*ind) + len;
	return mp;
}

bool dlpi_link_is_up(const struct net_device *dev)
{
	return netif_running(dev) && netif_carrier_ok(dev);
}

/* Returns whether a note reports anything new. */
static bool link_is_news(struct dlpi_end *ep, u32 note)
{
	bool up = note == DL_NOTE_LINK_UP;

	if (!up && note != DL_NOTE_LINK_DOWN)
		return true;
	if (ep->up == up)
		return false;
	ep->up = up;
	return true;
}

static void link_note_send(struct dlpi_end *ep, const struct net_device *dev,
			   u32 note)
{
	bool room;
	mblk_t *mp;

	rcu_read_lock();
	room = READ_ONCE(ep->open) && canputnext(ep->rq);
	rcu_read_unlock();
	if (!room) {
		dlpi_up_drop(ep, "full");
		return;
	}
	mp = note_make(note, note == DL_NOTE_SDU_SIZE ?
		       dlpi_frame_max_sdu(&ep->bind, dev) : 0, dev->dev_addr,
		       note == DL_NOTE_PHYS_ADDR ? dlpi_hw_len(ep) : 0);
	if (mp)
		link_up(ep, mp);
}

static void link_note(struct net_device *dev, u32 note)
{
	struct dlpi_end *ep;

	hash_for_each_possible(attached, ep, node, (unsigned long)dev) {
		if (rcu_access_pointer(ep->dev) == dev &&
		    link_is_news(ep, note) && ep->notes & note)
			link_note_send(ep, dev, note);
		cond_resched();
	}
}

static int link_event(struct notifier_block *nb, unsigned long event, void *ptr)
{
	struct net_device *dev = netdev_notifier_info_to_dev(ptr);

	switch (event) {
	case NETDEV_UNREGISTER:
	case NETDEV_PRE_TYPE_CHANGE:
		link_gone(dev);
		break;
	case NETDEV_UP:
	case NETDEV_DOWN:
	case NETDEV_CHANGE:
		link_note(dev, dlpi_link_is_up(dev) ? DL_NOTE_LINK_UP :
						      DL_NOTE_LINK_DOWN);
		break;
	case NETDEV_CHANGEADDR:
		link_note(dev, DL_NOTE_PHYS_ADDR);
		break;
	case NETDEV_CHANGEMTU:
		link_note(dev, DL_NOTE_SDU_SIZE);
		break;
	}
	return NOTIFY_DONE;
}

static struct notifier_block link_notifier = {
	.notifier_call = link_event,
};

int __init dlpi_link_init(void)
{
	return register_netdevice_notifier(&link_notifier);
}

void dlpi_link_exit(void)
{
	unregister_netdevice_notifier(&link_notifier);
}
