dist_man_MANS += man/strsock.1 man/libstrsock.7
dist_man_MANS += man/pipe.4 man/streams.4 man/udp.4 man/strstat.8
dist_man_MANS += man/streamio.7 man/getmsg.2 man/putmsg.2
dist_man_MANS += man/tcp.4 man/udp_s.4 man/rawip.4 man/sctp.4
dist_man_MANS += man/log.4 man/strtracelog.8 man/strerrlog.8
dist_man_MANS += man/strlimits.7 man/strmod.7 man/strport.7
dist_man_MANS += man/sad.4 man/autopush.8 man/strconf.1 man/strchg.1
dist_man_MANS += man/nullmod.4 man/pipemod.4 man/bufmod.4 man/pfmod.4
dist_man_MANS += man/echo.4 man/loop.4 man/mux.4 man/nuls.4
dist_man_MANS += man/dlpi.4 man/libdlpi.3
dist_man_MANS += man/ticlts.4 man/timod.4 man/tirdwr.4
dist_man_MANS += man/strfifo.1 man/fattach.3 man/fdetach.3 man/isastream.3 man/strmkfifo.3 man/strpipe.3
dist_man_MANS += man/clone.4 man/connld.4 man/fifo.4 man/fdetach.8 man/strname-helper.8
dist_man_MANS += man/libsocket.3 man/sock2path.5

# The X/Open Transport Interface
dist_man_MANS += \
	man/xti.7 man/netdir.3 man/t_alloc.3 man/t_bind.3 man/t_connect.3 man/t_error.3 \
	man/t_getinfo.3 man/t_getstate.3 man/t_listen.3 man/t_look.3 \
	man/t_open.3 man/t_optmgmt.3 man/t_rcv.3 man/t_rcvudata.3 man/t_snd.3 \
	man/t_snddis.3 man/t_sndrel.3 man/t_sndudata.3 man/t_sysconf.3

# Functions and structures for modules and drivers
dist_man_MANS += \
	man/allocb.9 man/backq.9 man/bufcall.9 man/canputnext.9 man/dupb.9 \
	man/esballoc.9 man/free_rtn.9 man/freezestr.9 man/intro.9 man/linkb.9 man/msgb.9 \
	man/putnext.9 man/putq.9 man/qband.9 man/qenable.9 man/qi_putp.9 man/qi_qclose.9 \
	man/qi_qopen.9 man/qi_srvp.9 man/qprocson.9 man/qtimeout.9 man/queue.9 man/qwait.9 \
	man/qwriter.9 man/streamtab.9 man/strioctl.9 man/strlog.9 man/strmod_register.9 \
	man/strqset.9 man/stroptions.9 man/strsun.9

# A page is found by all the names that it has.
EXTRA_DIST += man/aliases
install-data-hook: install-man-aliases
uninstall-hook: uninstall-man-aliases
.PHONY: install-man-aliases uninstall-man-aliases
# One mkdir for each folder, not for each name: there are hundreds.
install-man-aliases:
	@(cd $(srcdir) && man/aliases $(dist_man_MANS)) | sort -t. -k2 | { \
		dir=; \
		while read -r alias page; do \
			next="$(DESTDIR)$(mandir)/man$${page##*.}"; \
			test "$$next" = "$$dir" || $(MKDIR_P) "$$next" || exit 1; \
			dir=$$next; \
			echo ".so man$${page##*.}/$$page" >"$$dir/$$alias" || exit 1; \
		done; \
	}

uninstall-man-aliases:
	@(cd $(srcdir) && man/aliases $(dist_man_MANS)) | while read -r alias page; do \
		echo "$(DESTDIR)$(mandir)/man$${page##*.}/$$alias"; \
	done | xargs rm -f
