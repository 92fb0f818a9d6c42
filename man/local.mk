dist_man_MANS += man/man1/strsock.1 man/man7/libstrsock.7
dist_man_MANS += man/man4/pipe.4 man/man4/streams.4 man/man4/udp.4 man/man8/strstat.8 man/man1/strview.1 man/man1/strinfo.1
dist_man_MANS += man/man7/streamio.7 man/man3/getmsg.3 man/man3/putmsg.3
dist_man_MANS += man/man4/tcp.4 man/man4/udp_s.4 man/man4/rawip.4 man/man4/sctp.4
dist_man_MANS += man/man4/log.4 man/man8/strtracelog.8 man/man8/strerrlog.8
dist_man_MANS += man/man7/streams.7 man/man7/strlimits.7 man/man7/strevents.7 man/man7/strmod.7 man/man7/strport.7
dist_man_MANS += man/man4/sad.4 man/man8/autopush.8 man/man1/strconf.1 man/man1/strchg.1
dist_man_MANS += man/man4/count.4 man/man4/delay.4 man/man4/match.4 man/man4/ratelimit.4 man/man4/tee.4
dist_man_MANS += man/man4/ldterm.4 man/man4/ptem.4
dist_man_MANS += man/man4/nullmod.4 man/man4/pipemod.4 man/man4/bufmod.4 man/man4/pfmod.4
dist_man_MANS += man/man4/echo.4 man/man4/strloop.4 man/man4/mux.4 man/man4/nuls.4
dist_man_MANS += man/man4/dlpi.4 man/man3/libdlpi.3
dist_man_MANS += man/man4/ticlts.4 man/man4/tlidlpi.4 man/man4/timod.4 man/man4/tirdwr.4
dist_man_MANS += man/man1/strfifo.1 man/man3/fattach.3 man/man3/fdetach.3 man/man3/isastream.3 man/man3/strmkfifo.3 man/man3/strpipe.3
dist_man_MANS += man/man4/clone.4 man/man4/connld.4 man/man4/fifo.4 man/man8/fdetach.8 man/man8/strname-helper.8
dist_man_MANS += man/man3/libsocket.3 man/man5/sock2path.5 man/man5/strsock.conf.5

# The X/Open Transport Interface
dist_man_MANS += \
	man/man7/xti.7 man/man3/netdir.3 man/man3/t_alloc.3 man/man3/t_bind.3 man/man3/t_connect.3 man/man3/t_error.3 \
	man/man3/t_getinfo.3 man/man3/t_getstate.3 man/man3/t_listen.3 man/man3/t_look.3 \
	man/man3/t_open.3 man/man3/t_optmgmt.3 man/man3/t_rcv.3 man/man3/t_rcvudata.3 man/man3/t_snd.3 \
	man/man3/t_snddis.3 man/man3/t_sndrel.3 man/man3/t_sndudata.3 man/man3/t_sysconf.3

# Functions and structures for modules and drivers
dist_man_MANS += \
	man/man9/allocb.9 man/man9/backq.9 man/man9/bufcall.9 man/man9/canputnext.9 man/man9/dupb.9 \
	man/man9/esballoc.9 man/man9/free_rtn.9 man/man9/freezestr.9 man/man9/intro.9 man/man9/linkb.9 man/man9/msgb.9 \
	man/man9/putnext.9 man/man9/putq.9 man/man9/qband.9 man/man9/qenable.9 man/man9/qi_putp.9 man/man9/qi_qclose.9 \
	man/man9/qi_qopen.9 man/man9/qi_srvp.9 man/man9/qprocson.9 man/man9/qtimeout.9 man/man9/queue.9 man/man9/qwait.9 \
	man/man9/qwriter.9 man/man9/streamtab.9 man/man9/strioctl.9 man/man9/strlog.9 man/man9/strmod_register.9 man/man9/strparam.9 \
	man/man9/strqset.9 man/man9/stroptions.9 man/man9/strsun.9

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
