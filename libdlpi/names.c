// SPDX-License-Identifier: LGPL-2.1-or-later
/* Names of links, errors and media */
#include <ctype.h>
#include <libdlpi.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The types of interfaces of the MIB, RFC 1573 */
#define IFT_OTHER	1
#define IFT_ETHER	6

static const char *const dl_errors[] = {
	[DL_BADSAP] = "Bad LSAP selector",
	[DL_BADADDR] = "Bad address",
	[DL_ACCESS] = "No permission",
	[DL_OUTSTATE] = "Improper state",
	[DL_SYSERR] = "System error",
	[DL_BADCORR] = "Bad correlation number",
	[DL_BADDATA] = "Bad amount of data",
	[DL_UNSUPPORTED] = "Service not supported",
	[DL_BADPPA] = "No such physical point of attachment",
	[DL_BADPRIM] = "Bad primitive",
	[DL_BADQOSPARAM] = "Bad quality of service parameter",
	[DL_BADQOSTYPE] = "Bad quality of service type",
	[DL_BADTOKEN] = "Bad token",
	[DL_BOUND] = "Already bound",
	[DL_INITFAILED] = "Initialization failed",
	[DL_NOADDR] = "No address",
	[DL_NOTINIT] = "Not initialized",
	[DL_UNDELIVERABLE] = "Data cannot be delivered",
	[DL_NOTSUPPORTED] = "Primitive not supported",
	[DL_TOOMANY] = "Too many",
	[DL_NOTENAB] = "Not enabled",
	[DL_BUSY] = "Busy",
	[DL_NOAUTO] = "XID and TEST are not answered automatically",
	[DL_NOXIDAUTO] = "XID is not answered automatically",
	[DL_NOTESTAUTO] = "TEST is not answered automatically",
	[DL_XIDAUTO] = "XID is answered automatically",
	[DL_TESTAUTO] = "TEST is answered automatically",
	[DL_PENDING] = "Pending",
};

static const char *const dlpi_errors[] = {
	[DLPI_SUCCESS - DLPI_SUCCESS] = "Success",
	[DLPI_EINVAL - DLPI_SUCCESS] = "Invalid argument",
	[DLPI_ELINKNAMEINVAL - DLPI_SUCCESS] = "Invalid link name",
	[DLPI_ENOLINK - DLPI_SUCCESS] = "No such link",
	[DLPI_EBADLINK - DLPI_SUCCESS] = "Link of an unknown kind",
	[DLPI_EINHANDLE - DLPI_SUCCESS] = "Invalid handle",
	[DLPI_ETIMEDOUT - DLPI_SUCCESS] = "Timed out",
	[DLPI_EVERNOTSUP - DLPI_SUCCESS] = "Version not supported",
	[DLPI_EMODENOTSUP - DLPI_SUCCESS] = "Connectionless mode not supported",
	[DLPI_EUNAVAILSAP - DLPI_SUCCESS] = "SAP not available",
	[DLPI_FAILURE - DLPI_SUCCESS] = "Failure",
	[DLPI_ENOTSTYLE2 - DLPI_SUCCESS] = "Not of style 2",
	[DLPI_EBADMSG - DLPI_SUCCESS] = "Bad message",
	[DLPI_ERAWNOTSUP - DLPI_SUCCESS] = "Raw mode not supported",
	[DLPI_ENOTEINVAL - DLPI_SUCCESS] = "Invalid notification",
	[DLPI_ENOTENOTSUP - DLPI_SUCCESS] = "Notification not supported",
	[DLPI_ENOTEIDINVAL - DLPI_SUCCESS] = "Invalid notification id",
};

const char *dlpi_strerror(int error)
{
	if (error >= 0 && error <= DL_PENDING)
		return dl_errors[error];
	if (error >= DLPI_SUCCESS && error < DLPI_ERRMAX)
		return dlpi_errors[error - DLPI_SUCCESS];
	return "Unknown DLPI error";
}

const char *dlpi_mactype(unsigned int mactype)
{
	static const char *const names[] = {
		[DL_CSMACD] = "CSMA/CD",
		[DL_TPB] = "Token Bus",
		[DL_TPR] = "Token Ring",
		[DL_METRO] = "Metro Net",
		[DL_ETHER] = "Ethernet",
		[DL_HDLC] = "HDLC",
		[DL_CHAR] = "Sync Character",
		[DL_CTCA] = "CTCA",
		[DL_FDDI] = "FDDI",
		[DL_OTHER] = "Other",
	};

	return mactype <= DL_OTHER ? names[mactype] : "Unknown MAC Type";
}

unsigned int dlpi_arptype(unsigned int mactype)
{
	return mactype == DL_ETHER || mactype == DL_CSMACD ? ARPHRD_ETHER : 0;
}

unsigned int dlpi_iftype(unsigned int mactype)
{
	return mactype == DL_ETHER || mactype == DL_CSMACD ? IFT_ETHER : IFT_OTHER;
}

void dlpi_walk(dlpi_walkfunc_t *func, void *arg, unsigned int flags)
{
	struct if_nameindex *links = if_nameindex(), *link;

	if (!links)
		return;
	for (link = links; link->if_index; link++) {
		if (func(link->if_name, arg) != B_FALSE)
			break;
	}
	if_freenameindex(links);
}

int dlpi_parselink(const char *linkname, char *provider, unsigned int *ppa)
{
	size_t len = linkname ? strlen(linkname) : 0, digits;
	unsigned long n;

	for (digits = len; digits && isdigit((unsigned char)linkname[digits - 1]); digits--)
		;
	/* A number has no leading zeros. */
	while (digits < len && linkname[digits] == '0' && digits + 1 < len)
		digits++;
	if (!digits || digits == len || len >= DLPI_LINKNAME_MAX || len - digits > 9)
		return DLPI_ELINKNAMEINVAL;
	n = strtoul(linkname + digits, NULL, 10);
	if (provider) {
		memcpy(provider, linkname, digits);
		provider[digits] = '\0';
	}
	if (ppa)
		*ppa = n;
	return DLPI_SUCCESS;
}

int dlpi_makelink(char *linkname, const char *provider, unsigned int ppa)
{
	size_t len = provider ? strlen(provider) : 0;
	char name[DLPI_LINKNAME_MAX + 16];

	if (!linkname || !len || len >= DLPI_LINKNAME_MAX ||
	    isdigit((unsigned char)provider[len - 1]))
		return DLPI_ELINKNAMEINVAL;
	if (snprintf(name, sizeof(name), "%s%u", provider, ppa) >= DLPI_LINKNAME_MAX)
		return DLPI_ELINKNAMEINVAL;
	strcpy(linkname, name);
	return DLPI_SUCCESS;
}
