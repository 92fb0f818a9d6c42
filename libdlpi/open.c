// SPDX-License-Identifier: LGPL-2.1-or-later
/* Handles: a stream of the provider, attached to a network device */
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <stropts.h>
#include <unistd.h>

#include "handle.h"

#define ALL_FLAGS	(DLPI_PASSIVE | DLPI_RAW | DLPI_NATIVE)

static int open_stream(struct dlpi_handle *dh)
{
	dh->fd = open(DLPI_DEVICE, O_RDWR | O_CLOEXEC);
	if (dh->fd >= 0)
		return DLPI_SUCCESS;
	return errno == ENOENT ? DLPI_ENOLINK : DL_SYSERR;
}

static int open_attach(struct dlpi_handle *dh, unsigned int ppa)
{
	union dlpi_answer a = {
		.prim.attach_req = { .dl_primitive = DL_ATTACH_REQ, .dl_ppa = ppa },
	};
	int err = handle_request(dh, &a, sizeof(dl_attach_req_t), DL_OK_ACK,
			       sizeof(dl_ok_ack_t));

	return err == DL_BADPPA ? DLPI_EBADLINK : err;
}

/* Reads the type of the link, and checks that this library can use it. */
static int open_look(struct dlpi_handle *dh)
{
	union dlpi_answer a = { .prim.dl_primitive = DL_INFO_REQ };
	const dl_info_ack_t *info = &a.prim.info_ack;
	int err = handle_request(dh, &a, sizeof(dl_info_req_t), DL_INFO_ACK,
			       sizeof(dl_info_ack_t));

	if (err != DLPI_SUCCESS)
		return err;
	if (info->dl_version != DL_VERSION_2)
		return DLPI_EVERNOTSUP;
	if (!(info->dl_service_mode & DL_CLDLS))
		return DLPI_EMODENOTSUP;
	/* The SAP follows the address. */
	if (info->dl_sap_length != -SAP_LEN || info->dl_addr_length < SAP_LEN ||
	    info->dl_addr_length - SAP_LEN > DLPI_PHYSADDR_MAX)
		return DLPI_EBADLINK;
	dh->addrlen = info->dl_addr_length - SAP_LEN;
	dh->mactype = info->dl_mac_type;
	return DLPI_SUCCESS;
}

static int open_raw(struct dlpi_handle *dh)
{
	struct strioctl ic = { .ic_cmd = DLIOCRAW };

	if (dh->flags & DLPI_NATIVE)
		ic.ic_cmd = DLIOCNATIVE;
	else if (!(dh->flags & DLPI_RAW))
		return DLPI_SUCCESS;
	return ioctl(dh->fd, I_STR, &ic) < 0 ? DLPI_ERAWNOTSUP : DLPI_SUCCESS;
}

static int open_link(struct dlpi_handle *dh, unsigned int ppa)
{
	int err = open_stream(dh);

	if (err == DLPI_SUCCESS)
		err = open_attach(dh, ppa);
	if (err == DLPI_SUCCESS)
		err = open_look(dh);
	if (err == DLPI_SUCCESS)
		err = open_raw(dh);
	return err;
}

int dlpi_open(const char *linkname, dlpi_handle_t *dhp, unsigned int flags)
{
	struct dlpi_handle *dh;
	unsigned int ppa;
	int err, error;

	if (!dhp || flags & ~ALL_FLAGS)
		return DLPI_EINVAL;
	*dhp = NULL;
	if (!linkname || !*linkname || strlen(linkname) >= DLPI_LINKNAME_MAX)
		return DLPI_ELINKNAMEINVAL;
	ppa = if_nametoindex(linkname);
	if (!ppa)
		return DLPI_ENOLINK;
	dh = calloc(1, sizeof(*dh));
	if (!dh)
		return DL_SYSERR;
	dh->magic = HANDLE_MAGIC;
	dh->fd = -1;
	dh->flags = flags;
	dh->timeout = DLPI_DEF_TIMEOUT;
	strcpy(dh->linkname, linkname);
	err = open_link(dh, ppa);
	if (err == DLPI_SUCCESS) {
		*dhp = dh;
		return err;
	}
	error = errno;
	dlpi_close(dh);
	errno = error;
	return err;
}

void dlpi_close(dlpi_handle_t dh)
{
	struct dlpi_notify *n;

	if (!handle_is(dh))
		return;
	if (dh->fd >= 0)
		close(dh->fd);
	while ((n = dh->notify)) {
		dh->notify = n->next;
		free(n);
	}
	dh->magic = 0;
	free(dh);
}

int dlpi_fd(dlpi_handle_t dh)
{
	return handle_is(dh) ? dh->fd : -1;
}

int dlpi_set_timeout(dlpi_handle_t dh, int sec)
{
	if (!handle_is(dh))
		return DLPI_EINHANDLE;
	/* A longer time would not fit poll()'s milliseconds. */
	if (sec > 1000000)
		return DLPI_EINVAL;
	dh->timeout = sec;
	return DLPI_SUCCESS;
}

const char *dlpi_linkname(dlpi_handle_t dh)
{
	return handle_is(dh) ? dh->linkname : NULL;
}

unsigned int dlpi_style(dlpi_handle_t dh)
{
	return handle_is(dh) ? DL_STYLE2 : 0;
}
