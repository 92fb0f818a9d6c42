# Headers stand in a folder of their own: the historic names are not ours to
# take from other packages. strsock.pc says where.
strsockincludedir = $(includedir)/strsock
strsocksysincludedir = $(includedir)/strsock/sys

strsockinclude_HEADERS = \
	include/stropts.h \
	include/strsock.h \
	include/tiuser.h \
	include/xti.h
strsocksysinclude_HEADERS = \
	include/sys/bufmod.h \
	include/sys/loop.h \
	include/sys/mux.h \
	include/sys/sad.h \
	include/sys/stropts.h \
	include/sys/strio.h \
	include/sys/strlog.h \
	include/sys/tihdr.h \
	include/sys/timod.h \
	include/sys/tpi.h \
	include/sys/xti_inet.h

# For modules of the kernel; these go with the modules' source.
EXTRA_DIST += include/sys/stream.h include/sys/strsun.h
