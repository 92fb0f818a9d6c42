/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sys/stropts.h - the name some System V programs use for stropts.h */
#include <stropts.h>
