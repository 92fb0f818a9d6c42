// SPDX-License-Identifier: GPL-2.0-only
/* How the settings change: by ioctls that pass, and by reports from below */
#include "change.h"
#include "input.h"
#include "output.h"
#include "reading.h"
#include "settings.h"

/* Takes settings over that a command has set. */
static void change_settings(struct ldterm *l, int cmd, const struct ktermios *set)
{
	bool started = l->set.c_iflag & IXON && !(set->c_iflag & IXON);

	if (settings_flush(cmd))
		input_drop(l);
	if ((l->set.c_lflag ^ set->c_lflag) & ICANON) {
		l->literal = false;
		l->erasing = false;
	}
	l->set = *set;
	reading_change(l);
	/* Without IXON the character that starts the output would not be known any more. */
	if (started)
		output_start(l, false);
}

/* Remembers what an ioctl sets that passes on its way down. */
void change_asked(struct ldterm *l, unsigned int id, int cmd, const mblk_t *data)
{
	if (settings_use(cmd) != SETTINGS_SET || !data || MBLKL(data) < settings_size(cmd))
		return;
	l->asked = l->set;
	settings_put(cmd, data->b_rptr, &l->asked);
	l->asked_id = id;
	l->asked_cmd = cmd;
}

/* Looks at an answer to an ioctl. Returns whether it was this module's own question. */
bool change_answered(struct ldterm *l, const mblk_t *mp)
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	struct ktermios set = l->set;

	if (MBLKL(mp) < sizeof(*ioc) || !l->asked_id || ioc->ioc_id != l->asked_id)
		return false;
	l->asked_id = 0;
	if (settings_use(l->asked_cmd) == SETTINGS_SET) {
		if (DB_TYPE(mp) == M_IOCACK)
			change_settings(l, l->asked_cmd, &l->asked);
		return false;
	}
	if (DB_TYPE(mp) == M_IOCACK && mp->b_cont &&
	    MBLKL(mp->b_cont) >= settings_size(l->asked_cmd)) {
		settings_put(l->asked_cmd, mp->b_cont->b_rptr, &set);
		change_settings(l, l->asked_cmd, &set);
	}
	return true;
}

/* Handles an M_CTL by which ptem reports what the other side has set. */
void change_reported(struct ldterm *l, const mblk_t *mp)
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	struct ktermios set = l->set;

	settings_put(ioc->ioc_cmd, mp->b_cont->b_rptr, &set);
	change_settings(l, ioc->ioc_cmd, &set);
}

bool change_report(const mblk_t *mp)
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

	return MBLKL(mp) >= sizeof(*ioc) && settings_use(ioc->ioc_cmd) == SETTINGS_SET &&
	       mp->b_cont && MBLKL(mp->b_cont) >= settings_size(ioc->ioc_cmd);
}
