/* SPDX-License-Identifier: GPL-2.0-only */
/* Plays a sequence: three processes of two threads make its calls */
#ifndef _FUZZ_PLAY_H
#define _FUZZ_PLAY_H

#include "sequence.h"

extern struct play_options {
	const char *folder;	/* for names */
	bool covered;		/* the kernel tells what is reached */
	bool announced;		/* each sequence is */
} play_options;

/* Plays a sequence and returns whether there is a finding, see tests/fuzz/README.md. */
bool sequence_play(const struct sequence *s);

#endif /* _FUZZ_PLAY_H */
