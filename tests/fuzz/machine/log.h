/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's log, for reports */
#ifndef _FUZZ_LOG_H
#define _FUZZ_LOG_H

#include <stdbool.h>

/* By root; the records that are there already are skipped. False: there is no log. */
bool log_open(void);
/* Whether a record added since the last call is a report; prints its first line. */
bool log_reports(void);

#endif /* _FUZZ_LOG_H */
