// SPDX-License-Identifier: GPL-2.0-only
/* The names of errors, and the end of a player that cannot continue */
#include "fail.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/**
 * error_name - an error by its name
 * @error: its number
 *
 * Return: the name
 */
const char *error_name(int error)
{
	const char *name = strerrorname_np(error);

	return name ? name : "E???";
}

/**
 * broken - the player cannot continue
 * @what: the action that failed
 */
void broken(const char *what)
{
	fprintf(stderr, "player: %s: %s\n", what, error_name(errno));
	exit(2);
}

/**
 * refuse - the player cannot detect differences here
 * @why: the reason
 */
void refuse(const char *why)
{
	fprintf(stderr, "player: %s\n", why);
	exit(2);
}
