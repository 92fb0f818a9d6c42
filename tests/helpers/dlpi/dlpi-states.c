// SPDX-License-Identifier: GPL-2.0-only
/*
 * dlpi-states - every primitive in every state, as a table
 *
 * Prints what each is answered; says at the end whether it is what it should be.
 */
#include "dlpi-test.h"

/* The states that last */
static const struct {
	const char *name;
	t_uscalar_t state;
} states[] = {
	{ "UNATTACHED", DL_UNATTACHED },
	{ "UNBOUND", DL_UNBOUND },
	{ "IDLE", DL_IDLE },
	/* The stream is bound to a SAP of LLC (IEEE 802.2). */
	{ "IDLE, LLC", DL_IDLE },
};

#define N_STATES	4
#define LLC		3
#define TEST_LLC	0x42

/* The answers besides errors */
#define OK		DL_OK_ACK
#define ERR(e)		DLPI_ERROR(e)
#define OUT		ERR(DL_OUTSTATE)
/* The answer is DL_UDERROR_IND, with an error. */
#define UDERR(e)	(0x1000 + (e))
/* There is no answer: a frame is sent. */
#define SENT		0x2000
#define HEX_GROUP	"\x03\x00\x00\x00\x00\x01"

static const struct row {
	const char *name;
	t_uscalar_t words[8];
	int nwords;
	const char *bytes;	/* behind them */
	int len;
	int answers[N_STATES];	/* 0, of the last: as in IDLE */
} rows[] = {
	{ "DL_INFO_REQ", { DL_INFO_REQ }, 1, "", 0,
	  { DL_INFO_ACK, DL_INFO_ACK, DL_INFO_ACK } },
	{ "DL_ATTACH_REQ", { DL_ATTACH_REQ, 1 }, 2, "", 0, { OK, OUT, OUT } },
	{ "DL_ATTACH_REQ, no such PPA", { DL_ATTACH_REQ, 0x7fffffff }, 2, "", 0,
	  { ERR(DL_BADPPA), OUT, OUT } },
	{ "DL_ATTACH_REQ, PPA 0", { DL_ATTACH_REQ, 0 }, 2, "", 0,
	  { ERR(DL_BADPPA), OUT, OUT } },
	{ "DL_ATTACH_REQ, PPA -1", { DL_ATTACH_REQ, -1 }, 2, "", 0,
	  { ERR(DL_BADPPA), OUT, OUT } },
	{ "DL_DETACH_REQ", { DL_DETACH_REQ }, 1, "", 0, { OUT, OK, OUT } },
	{ "DL_BIND_REQ", { DL_BIND_REQ, TEST_TYPE, 0, DL_CLDLS, 0 }, 5, "", 0,
	  { OUT, DL_BIND_ACK, OUT } },
	{ "DL_BIND_REQ, SAP 0", { DL_BIND_REQ, 0, 0, DL_CLDLS, 0 }, 5, "", 0,
	  { OUT, DL_BIND_ACK, OUT } },
	{ "DL_BIND_REQ, LLC", { DL_BIND_REQ, 0x42, 0, DL_CLDLS, 3 }, 5, "", 0,
	  { OUT, DL_BIND_ACK, OUT } },
	{ "DL_BIND_REQ, group SAP", { DL_BIND_REQ, 0x43, 0, DL_CLDLS, 0 }, 5, "", 0,
	  { OUT, ERR(DL_BADSAP), OUT } },
	{ "DL_BIND_REQ, a length", { DL_BIND_REQ, 0x5ff, 0, DL_CLDLS, 0 }, 5, "", 0,
	  { OUT, ERR(DL_BADSAP), OUT } },
	{ "DL_BIND_REQ, 0x10000", { DL_BIND_REQ, 0x10000, 0, DL_CLDLS, 0 }, 5, "", 0,
	  { OUT, ERR(DL_BADSAP), OUT } },
	{ "DL_BIND_REQ, connections", { DL_BIND_REQ, TEST_TYPE, 0, DL_CODLS, 0 }, 5, "", 0,
	  { OUT, ERR(DL_UNSUPPORTED), OUT } },
	{ "DL_BIND_REQ, acknowledged", { DL_BIND_REQ, TEST_TYPE, 0, DL_ACLDLS, 0 }, 5, "", 0,
	  { OUT, ERR(DL_UNSUPPORTED), OUT } },
	{ "DL_BIND_REQ, auto XID", { DL_BIND_REQ, TEST_TYPE, 0, DL_CLDLS, 1 }, 5, "", 0,
	  { OUT, ERR(DL_NOAUTO), OUT } },
	{ "DL_BIND_REQ, other flags", { DL_BIND_REQ, 0x42, 0, DL_CLDLS, 4 }, 5, "", 0,
	  { OUT, ERR(DL_UNSUPPORTED), OUT } },
	{ "DL_UNBIND_REQ", { DL_UNBIND_REQ }, 1, "", 0, { OUT, OUT, OK } },
	{ "DL_SUBS_BIND_REQ", { DL_SUBS_BIND_REQ, 16, 5, DL_HIERARCHICAL_BIND }, 4,
	  "\0\0\0\x88\xb5", 5, { OUT, OUT, ERR(DL_UNSUPPORTED) } },
	{ "DL_SUBS_BIND_REQ, peer", { DL_SUBS_BIND_REQ, 16, 2, DL_PEER_BIND }, 4,
	  "\x88\xb5", 2, { OUT, OUT, ERR(DL_UNSUPPORTED) } },
	{ "DL_SUBS_UNBIND_REQ", { DL_SUBS_UNBIND_REQ, 12, 5 }, 3, "\0\0\0\x88\xb5", 5,
	  { OUT, OUT, ERR(DL_BADADDR) } },
	{ "DL_ENABMULTI_REQ", { DL_ENABMULTI_REQ, 6, 12 }, 3, HEX_GROUP, 6, { OUT, OK, OK } },
	{ "DL_ENABMULTI_REQ, a station", { DL_ENABMULTI_REQ, 6, 12 }, 3,
	  "\2\0\0\0\0\1", 6, { OUT, ERR(DL_BADADDR), ERR(DL_BADADDR) } },
	{ "DL_ENABMULTI_REQ, outside", { DL_ENABMULTI_REQ, 6, 13 }, 3, HEX_GROUP, 6,
	  { OUT, ERR(DL_BADADDR), ERR(DL_BADADDR) } },
	{ "DL_ENABMULTI_REQ, 5 bytes", { DL_ENABMULTI_REQ, 5, 12 }, 3, HEX_GROUP, 6,
	  { OUT, ERR(DL_BADADDR), ERR(DL_BADADDR) } },
	{ "DL_DISABMULTI_REQ, not enabled", { DL_DISABMULTI_REQ, 6, 12 }, 3,
	  HEX_GROUP, 6, { OUT, ERR(DL_NOTENAB), ERR(DL_NOTENAB) } },
	{ "DL_PROMISCON_REQ, PHYS", { DL_PROMISCON_REQ, DL_PROMISC_PHYS }, 2, "", 0,
	  { OUT, OK, OK } },
	{ "DL_PROMISCON_REQ, SAP", { DL_PROMISCON_REQ, DL_PROMISC_SAP }, 2, "", 0,
	  { OUT, OK, OK } },
	{ "DL_PROMISCON_REQ, MULTI", { DL_PROMISCON_REQ, DL_PROMISC_MULTI }, 2, "", 0,
	  { OUT, OK, OK } },
	{ "DL_PROMISCON_REQ, 0", { DL_PROMISCON_REQ, 0 }, 2, "", 0,
	  { OUT, ERR(DL_UNSUPPORTED), ERR(DL_UNSUPPORTED) } },
	{ "DL_PROMISCON_REQ, 4", { DL_PROMISCON_REQ, 4 }, 2, "", 0,
	  { OUT, ERR(DL_UNSUPPORTED), ERR(DL_UNSUPPORTED) } },
	{ "DL_PROMISCOFF_REQ, not on", { DL_PROMISCOFF_REQ, DL_PROMISC_PHYS }, 2, "", 0,
	  { OUT, ERR(DL_NOTENAB), ERR(DL_NOTENAB) } },
	{ "DL_PHYS_ADDR_REQ, current", { DL_PHYS_ADDR_REQ, DL_CURR_PHYS_ADDR }, 2, "", 0,
	  { OUT, DL_PHYS_ADDR_ACK, DL_PHYS_ADDR_ACK } },
	{ "DL_PHYS_ADDR_REQ, factory", { DL_PHYS_ADDR_REQ, DL_FACT_PHYS_ADDR }, 2, "", 0,
	  { OUT, ERR(DL_NOADDR), ERR(DL_NOADDR) } },
	{ "DL_PHYS_ADDR_REQ, 3", { DL_PHYS_ADDR_REQ, 3 }, 2, "", 0,
	  { OUT, ERR(DL_UNSUPPORTED), ERR(DL_UNSUPPORTED) } },
	{ "DL_SET_PHYS_ADDR_REQ, a group", { DL_SET_PHYS_ADDR_REQ, 6, 12 }, 3, HEX_GROUP, 6,
	  { OUT, ERR(DL_BADADDR), ERR(DL_BADADDR) } },
	{ "DL_SET_PHYS_ADDR_REQ, none", { DL_SET_PHYS_ADDR_REQ, 0, 0 }, 3, "", 0,
	  { OUT, ERR(DL_BADADDR), ERR(DL_BADADDR) } },
	{ "DL_GET_STATISTICS_REQ", { DL_GET_STATISTICS_REQ }, 1, "", 0,
	  { OUT, DL_GET_STATISTICS_ACK, DL_GET_STATISTICS_ACK } },
	{ "DL_NOTIFY_REQ", { DL_NOTIFY_REQ, -1, 0 }, 3, "", 0,
	  { OUT, DL_NOTIFY_ACK, DL_NOTIFY_ACK } },
	{ "DL_UNITDATA_REQ", { DL_UNITDATA_REQ, 8, 20, 0, 0 }, 5, "\2\0\0\0\0\1\xb5\x88", 8,
	  { UDERR(DL_OUTSTATE), UDERR(DL_OUTSTATE), SENT, UDERR(DL_BADADDR) } },
	{ "DL_UNITDATA_REQ, a SAP of LLC", { DL_UNITDATA_REQ, 8, 20, 0, 0 }, 5,
	  "\2\0\0\0\0\1\x42\0", 8,
	  { UDERR(DL_OUTSTATE), UDERR(DL_OUTSTATE), UDERR(DL_BADADDR), SENT } },
	{ "DL_UNITDATA_REQ, 6 bytes", { DL_UNITDATA_REQ, 6, 20, 0, 0 }, 5,
	  "\2\0\0\0\0\1\xb5\x88", 8,
	  { UDERR(DL_OUTSTATE), UDERR(DL_OUTSTATE), UDERR(DL_BADADDR) } },
	{ "DL_UNITDATA_REQ, outside", { DL_UNITDATA_REQ, 8, 21, 0, 0 }, 5,
	  "\2\0\0\0\0\1\xb5\x88", 8,
	  { UDERR(DL_BADADDR), UDERR(DL_BADADDR), UDERR(DL_BADADDR) } },
	{ "DL_UNITDATA_REQ, a length as type", { DL_UNITDATA_REQ, 8, 20, 0, 0 }, 5,
	  "\2\0\0\0\0\1\xff\x05", 8,
	  { UDERR(DL_OUTSTATE), UDERR(DL_OUTSTATE), UDERR(DL_BADADDR) } },
	{ "DL_UDQOS_REQ", { DL_UDQOS_REQ, 0, 0 }, 3, "", 0,
	  { OUT, OUT, ERR(DL_BADQOSTYPE) } },
	{ "DL_XID_REQ", { DL_XID_REQ, 0, 8, 16 }, 4, "\2\0\0\0\0\1\x42\0", 8,
	  { OUT, OUT, ERR(DL_NOTSUPPORTED), SENT } },
	{ "DL_XID_RES", { DL_XID_RES, 0, 8, 16 }, 4, "\2\0\0\0\0\1\x42\0", 8,
	  { OUT, OUT, ERR(DL_NOTSUPPORTED), SENT } },
	{ "DL_TEST_REQ", { DL_TEST_REQ, 0, 8, 16 }, 4, "\2\0\0\0\0\1\x42\0", 8,
	  { OUT, OUT, ERR(DL_NOTSUPPORTED), SENT } },
	{ "DL_TEST_RES", { DL_TEST_RES, 0, 8, 16 }, 4, "\2\0\0\0\0\1\x42\0", 8,
	  { OUT, OUT, ERR(DL_NOTSUPPORTED), SENT } },
#define OTHER(prim)	{ #prim, { prim, 0, 0, 0, 0, 0, 0, 0 }, 8, "", 0, \
	{ ERR(DL_NOTSUPPORTED), ERR(DL_NOTSUPPORTED), ERR(DL_NOTSUPPORTED) } }
	OTHER(DL_CONNECT_REQ), OTHER(DL_CONNECT_RES), OTHER(DL_TOKEN_REQ),
	OTHER(DL_DISCONNECT_REQ), OTHER(DL_RESET_REQ), OTHER(DL_RESET_RES),
	OTHER(DL_DATA_ACK_REQ), OTHER(DL_REPLY_REQ), OTHER(DL_REPLY_UPDATE_REQ),
#define BAD(prim)	{ #prim, { prim, 0, 0, 0, 0, 0, 0, 0 }, 8, "", 0, \
	{ ERR(DL_BADPRIM), ERR(DL_BADPRIM), ERR(DL_BADPRIM) } }
	/* These primitives are sent only by a provider, or do not exist. */
	BAD(DL_INFO_ACK), BAD(DL_BIND_ACK), BAD(DL_ERROR_ACK), BAD(DL_OK_ACK),
	BAD(DL_UNITDATA_IND), BAD(DL_UDERROR_IND), BAD(DL_CONNECT_IND),
	BAD(DL_CONNECT_CON), BAD(DL_TOKEN_ACK), BAD(DL_DISCONNECT_IND),
	BAD(DL_RESET_IND), BAD(DL_RESET_CON), BAD(DL_DATA_ACK_IND),
	BAD(DL_DATA_ACK_STATUS_IND), BAD(DL_REPLY_IND), BAD(DL_REPLY_STATUS_IND),
	BAD(DL_REPLY_UPDATE_STATUS_IND), BAD(DL_SUBS_BIND_ACK), BAD(DL_XID_IND),
	BAD(DL_XID_CON), BAD(DL_TEST_IND), BAD(DL_TEST_CON), BAD(DL_PHYS_ADDR_ACK),
	BAD(DL_GET_STATISTICS_ACK), BAD(DL_NOTIFY_ACK), BAD(DL_NOTIFY_IND),
	BAD(0x16), BAD(0x36), BAD(0xffffffff),
};

static const char *const errors[] = {
	"BADSAP", "BADADDR", "ACCESS", "OUTSTATE", "SYSERR", "BADCORR", "BADDATA",
	"UNSUPPORTED", "BADPPA", "BADPRIM", "BADQOSPARAM", "BADQOSTYPE", "BADTOKEN",
	"BOUND", "INITFAILED", "NOADDR", "NOTINIT", "UNDELIVERABLE", "NOTSUPPORTED",
	"TOOMANY", "NOTENAB", "BUSY", "NOAUTO", "NOXIDAUTO", "NOTESTAUTO", "XIDAUTO",
	"TESTAUTO", "PENDING",
};

static const char *answer_name(int answer)
{
	static char name[32];

	if (answer == SENT)
		return "sent";
	if (answer == OK)
		return "ok";
	if (answer < 0 && -1 - answer <= DL_PENDING)
		return errors[-1 - answer];
	if (answer >= 0 && answer < 0x1000)
		return "ack";
	if (answer >= 0x1000 && answer <= 0x1000 + DL_PENDING)
		snprintf(name, sizeof(name), "(%s)", errors[answer - 0x1000]);
	else
		snprintf(name, sizeof(name), "%d", answer);
	return name;
}

static int endpoint_in(unsigned int s)
{
	if (s == LLC)
		return left_bound(TEST_LLC);
	switch (states[s].state) {
	case DL_UNATTACHED:
		return dlpi_fd();
	case DL_UNBOUND:
		return left_attached();
	default:
		return left_bound(TEST_TYPE);
	}
}

static int should_be(const struct row *r, unsigned int s)
{
	return s == LLC && !r->answers[s] ? r->answers[s - 1] : r->answers[s];
}

static bool is_llc(const struct row *r)
{
	switch (r->words[0]) {
	case DL_XID_REQ:
	case DL_XID_RES:
	case DL_TEST_REQ:
	case DL_TEST_RES:
		return true;
	default:
		return false;
	}
}

/*
 * A frame that was sent has no answer: the datagram to no address behind it has
 * one.
 */
static int llc_answer(int fd, const struct row *r)
{
	static const t_uscalar_t nowhere[5] = { DL_UNITDATA_REQ };
	int prim;

	TRUE(!dlpi_put(fd, nowhere, sizeof(nowhere), "x", 1));
	prim = dlpi_get(fd);
	if (prim == DL_UDERROR_IND)
		return SENT;
	IS(prim, DL_ERROR_ACK);
	IS(got.prim.error_ack.dl_error_primitive, r->words[0]);
	prim = ERR((int)got.prim.error_ack.dl_errno);
	IS(dlpi_get(fd), DL_UDERROR_IND);
	return prim;
}

/*
 * Returns the answer to a row's primitive, whose control part is cut to len
 * bytes.
 */
static int answer_to(int fd, const struct row *r, int len)
{
	unsigned char ctl[128];
	int prim;

	memcpy(ctl, r->words, r->nwords * 4);
	memcpy(ctl + r->nwords * 4, r->bytes, r->len);
	TRUE(!dlpi_put(fd, ctl, len, r->words[0] == DL_UNITDATA_REQ ? "x" : NULL, 1));
	if (is_llc(r))
		return llc_answer(fd, r);
	/* The answer to the next primitive shows that this one has none. */
	prim = DL_INFO_REQ;
	if (r->words[0] == DL_UNITDATA_REQ)
		TRUE(!dlpi_put(fd, &prim, sizeof(prim), NULL, 0));
	prim = dlpi_get(fd);
	if (prim == DL_ERROR_ACK) {
		IS(got.prim.error_ack.dl_error_primitive, r->words[0]);
		return ERR((int)got.prim.error_ack.dl_errno);
	}
	if (prim == DL_OK_ACK)
		IS(got.prim.ok_ack.dl_correct_primitive, r->words[0]);
	if (r->words[0] != DL_UNITDATA_REQ)
		return prim;
	/* DL_INFO_ACK has high priority, and comes first. */
	IS(prim, DL_INFO_ACK);
	if (dlpi_is_empty(fd))
		return SENT;
	IS(dlpi_get(fd), DL_UDERROR_IND);
	return UDERR((int)got.prim.uderror_ind.dl_errno);
}

static t_uscalar_t state_of(int fd)
{
	IS(ASK(fd, DL_INFO_REQ), DL_INFO_ACK);
	return got.prim.info_ack.dl_current_state;
}

/* Returns the state that an answer leaves behind. */
static t_uscalar_t state_after(const struct row *r, t_uscalar_t state, int answer)
{
	if (answer == OK && r->words[0] == DL_ATTACH_REQ)
		return DL_UNBOUND;
	if (answer == OK && r->words[0] == DL_DETACH_REQ)
		return DL_UNATTACHED;
	if (answer == OK && r->words[0] == DL_UNBIND_REQ)
		return DL_UNBOUND;
	return answer == DL_BIND_ACK ? DL_IDLE : state;
}

static void g_table(void)
{
	unsigned int i, s;

	printf("%-36s", "");
	for (s = 0; s < N_STATES; s++)
		printf(" %-14s", states[s].name);
	printf("\n");
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *r = &rows[i];

		printf("%-36s", r->name);
		for (s = 0; s < N_STATES; s++) {
			int fd = endpoint_in(s), answer, right = should_be(r, s);

			answer = answer_to(fd, r, r->nwords * 4 + r->len);
			printf(" %-14s", answer_name(answer));
			if (answer != right)
				printf("\n%s: should be %s\n", r->name,
				       answer_name(right));
			IS(answer, right);
			IS(state_of(fd),
			   state_after(r, states[s].state, answer));
			close(fd);
		}
		printf("\n");
	}
}

/*
 * Each primitive that is a word too short is answered by DL_BADPRIM, in all
 * states.
 */
static void g_short(void)
{
	unsigned int i, s;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *r = &rows[i];
		bool known = r->answers[2] != ERR(DL_NOTSUPPORTED) ||
			     r->words[0] >= DL_XID_REQ;

		if (!known || r->nwords < 2 || r->nwords == 8)
			continue;
		for (s = 0; s < N_STATES; s++) {
			int fd = endpoint_in(s);
			t_uscalar_t words[8];

			memcpy(words, r->words, sizeof(words));
			IS(dlpi_ask(fd, words, r->nwords * 4 - 1),
			   ERR(DL_BADPRIM));
			IS(got.prim.error_ack.dl_error_primitive, words[0]);
			IS(state_of(fd), states[s].state);
			close(fd);
		}
	}
}

int main(int argc, char **argv)
{
	static const struct test_case groups[] = {
		{ "table", g_table },
		{ "short", g_short },
		{ NULL, NULL }
	};

	return test_main(argc, argv, groups);
}
