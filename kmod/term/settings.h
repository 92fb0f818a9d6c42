/* SPDX-License-Identifier: GPL-2.0-only */
/* settings.h - a terminal's settings, in the forms that ioctls have them in */
#ifndef _TERM_SETTINGS_H
#define _TERM_SETTINGS_H

#include <linux/termios.h>
#include <sys/stream.h>

enum settings_use { SETTINGS_OTHER, SETTINGS_GET, SETTINGS_SET };

void settings_initial(struct ktermios *set);
enum settings_use settings_use(int cmd);
bool settings_drain(int cmd);
bool settings_flush(int cmd);
size_t settings_size(int cmd);
mblk_t *settings_get(int cmd, const struct ktermios *set);
mblk_t *settings_message(int cmd, const struct ktermios *set);
int ioctl_number(const mblk_t *mp);
void settings_put(int cmd, const void *from, struct ktermios *set);

#endif /* _TERM_SETTINGS_H */
