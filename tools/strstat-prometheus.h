/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* strstat-prometheus.h - the output of strstat, as Prometheus reads it */
#ifndef STRSTAT_PROMETHEUS_H
#define STRSTAT_PROMETHEUS_H

#include "strstat-proc.h"

/* Counters or streams that are NULL are left out. */
void prometheus_print(const struct counters *counters, const struct open_streams *streams);

#endif /* STRSTAT_PROMETHEUS_H */
