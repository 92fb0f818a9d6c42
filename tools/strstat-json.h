/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* strstat-json.h - the output of strstat, as JSON */
#ifndef STRSTAT_JSON_H
#define STRSTAT_JSON_H

#include "strstat-proc.h"
#include "strstat-sample.h"

/* Prints counters and streams as JSON; NULL: that part was not asked for. */
void json_print(const struct counters *counters, const struct open_streams *streams);
/* Prints a sample on one line. */
void json_print_sample(const struct sample *sample);

#endif /* STRSTAT_JSON_H */
