/* SPDX-License-Identifier: GPL-2.0-only */
/* The stream head, for the modules that give files to streams */
#ifndef _STREAMS_STREAMS_H
#define _STREAMS_STREAMS_H

#include "streams/call/compat.h"
#include "streams/call/fdinsert.h"
#include "streams/call/inspect.h"
#include "streams/call/io.h"
#include "streams/call/ioctl.h"
#include "streams/call/msgio.h"
#include "streams/call/poll.h"
#include "streams/call/strioctl.h"
#include "streams/head/files.h"
#include "streams/head/flush.h"
#include "streams/head/head.h"
#include "streams/head/hold.h"
#include "streams/head/id.h"
#include "streams/head/ioc.h"
#include "streams/head/option.h"
#include "streams/head/plumb.h"
#include "streams/head/reader.h"
#include "streams/head/room.h"
#include "streams/head/rput.h"
#include "streams/head/signal.h"
#include "streams/head/state.h"
#include "streams/head/stream.h"
#include "streams/head/wake.h"
#include "streams/head/watch.h"

#endif /* _STREAMS_STREAMS_H */
