/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's log, for reports */
#ifndef _FUZZ_LOG_H
#define _FUZZ_LOG_H

#include <stdbool.h>

/* By root; what is in the log already is not looked at. */
void log_open(void);
/* Whether there is a report in what was added; prints its first line. */
bool log_reports(void);

#endif /* _FUZZ_LOG_H */
