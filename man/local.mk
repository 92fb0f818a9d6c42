dist_man_MANS += man/strsock.1 man/libstrsock.7
dist_man_MANS += man/pipe.4 man/streams.4 man/udp.4 man/strstat.8
dist_man_MANS += man/streamio.7 man/getmsg.2 man/putmsg.2
