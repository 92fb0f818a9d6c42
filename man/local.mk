dist_man_MANS += man/strsock.1 man/libstrsock.7
