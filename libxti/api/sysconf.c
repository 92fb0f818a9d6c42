// SPDX-License-Identifier: LGPL-2.1-or-later
/* t_sysconf() */
#include "core/error.h"

/**
 * t_sysconf() - a limit of the library
 * @name: _SC_T_IOV_MAX
 *
 * Return: its value, or -1 with TBADFLAG. XNS Issue 5, t_sysconf().
 */
int t_sysconf(int name)
{
	if (name == _SC_T_IOV_MAX)
		return T_IOV_MAX;
	return xti_result(TBADFLAG);
}
