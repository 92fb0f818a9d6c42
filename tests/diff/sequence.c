// SPDX-License-Identifier: GPL-2.0-only
/* The sequence that is played */
#include "sequence.h"
#include "step.h"

const struct kind *kind;
uint64_t seed, sequence;
bool quiet;
struct shared *shared;
