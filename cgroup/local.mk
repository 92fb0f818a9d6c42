# strsock --all and --cgroup: executed by tools/strsock, which is static
pkglibexec_PROGRAMS += cgroup/strsock-cgroup
cgroup_strsock_cgroup_SOURCES = \
	cgroup/main.c tools/say.c tools/say.h \
	cgroup/group.c cgroup/group.h \
	cgroup/loader.h cgroup/redirect.h \
	cgroup/policy.c cgroup/policy.h cgroup/variables.c cgroup/variables.h \
	cgroup/apart.c cgroup/apart.h \
	cgroup/answer.c cgroup/answer.h cgroup/caller.c cgroup/caller.h \
	cgroup/filter.c cgroup/filter.h cgroup/supervisor.c cgroup/supervisor.h \
	cgroup/verdict.c cgroup/verdict.h cgroup/workers.c cgroup/workers.h \
	preload/conf.c preload/conf.h preload/kind.h preload/log.c preload/log.h \
	preload/mark.h preload/pipe-make.c preload/pipe-make.h preload/policy.h \
	preload/push.c preload/push.h preload/pushlist.c preload/pushlist.h \
	preload/rules.c preload/rules.h preload/sys.h
if BPF
cgroup_strsock_cgroup_SOURCES += cgroup/loader.c
else
cgroup_strsock_cgroup_SOURCES += cgroup/no-loader.c
endif
cgroup_strsock_cgroup_CPPFLAGS = $(strsock_cppflags) -I$(top_srcdir) -I$(top_srcdir)/cgroup -Icgroup
cgroup_strsock_cgroup_CFLAGS = $(AM_CFLAGS) -std=gnu11
cgroup_strsock_cgroup_LDADD = $(BPF_LIBS)
EXTRA_DIST += cgroup/redirect.bpf.c
CLEANFILES += cgroup/redirect.bpf.o cgroup/redirect.skel.h

cgroup/redirect.bpf.o: $(srcdir)/cgroup/redirect.bpf.c $(srcdir)/cgroup/redirect.h
	$(AM_V_GEN)$(MKDIR_P) cgroup && $(CLANG) -g -O2 -Wall -target bpf $(BPF_CPPFLAGS) \
		-I$(srcdir)/cgroup -c $(srcdir)/cgroup/redirect.bpf.c -o $@

cgroup/redirect.skel.h: cgroup/redirect.bpf.o
	$(AM_V_GEN)$(BPFTOOL) gen skeleton $< name redirect >$@.new && mv $@.new $@

cgroup/strsock_cgroup-loader.$(OBJEXT): cgroup/redirect.skel.h
