# Headers stand in a folder of their own: the historic names are not ours to
# take from other packages. strsock.pc says where.
strsockincludedir = $(includedir)/strsock
strsocksysincludedir = $(includedir)/strsock/sys

strsockinclude_HEADERS = \
	include/libdlpi.h \
	include/netconfig.h \
	include/netdir.h \
	include/stropts.h \
	include/strsock.h \
	include/tiuser.h \
	include/xti.h \
	include/xti_inet.h
# stream.h serves kernel modules too; in their source it is beside strsun.h
# and strparam.h.
strsocksysinclude_HEADERS = \
	include/sys/bufmod.h \
	include/sys/byteorder.h \
	include/sys/conf.h \
	include/sys/dlpi.h \
	include/sys/filio.h \
	include/sys/log.h \
	include/sys/loop.h \
	include/sys/mkdev.h \
	include/sys/mux.h \
	include/sys/netconfig.h \
	include/sys/pfmod.h \
	include/sys/sad.h \
	include/sys/sockio.h \
	include/sys/sockmod.h \
	include/sys/stream.h \
	include/sys/strio.h \
	include/sys/strlog.h \
	include/sys/stropts.h \
	include/sys/ticlts.h \
	include/sys/ticots.h \
	include/sys/ticotsord.h \
	include/sys/tee.h \
	include/sys/tihdr.h \
	include/sys/timod.h \
	include/sys/tiuser.h \
	include/sys/tpi.h \
	include/sys/tpicommon.h \
	include/sys/xti.h \
	include/sys/xti_inet.h

EXTRA_DIST += include/sys/strsun.h include/sys/strparam.h
