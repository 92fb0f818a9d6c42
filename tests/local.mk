# tests/check runs everything; make compiles the programs it needs.
#
# Each tests/helpers/SUBJECT/NAME.c is one program, tests/helpers/NAME, found by its name,
# so that a new one needs no entry here. It may use the headers beside it and in lib/,
# the library, the preload's headers and threads.
# HELPER_NAME (_ for -) lists further sources of a program; if it links otherwise,
# HELPER_LDFLAGS_NAME says how.

helpers_src = $(wildcard $(srcdir)/tests/helpers/*/*.c)
helpers = $(addprefix tests/helpers/,$(basename $(notdir $(helpers_src))))

HELPER_preload_rules = $(srcdir)/preload/rules.c $(srcdir)/preload/conf.c \
	$(srcdir)/preload/pushlist.c
# Without it the test reports that.
HELPER_netconfig = $(shell pkg-config --cflags --libs libtirpc 2>/dev/null)
HELPER_preload_popen_unit = $(srcdir)/preload/popen.c
HELPER_LDFLAGS_preload_static = -static
HELPER_LDFLAGS_cgroup_pipes = -static
HELPER_LDFLAGS_cgroup_sockets = -static
HELPER_sock2path = $(srcdir)/libsocket/sock2path.c $(srcdir)/preload/conf.c
HELPER_LDFLAGS_dlpi_library = -Llibdlpi/.libs -ldlpi -Wl,-rpath,$(abs_builddir)/libdlpi/.libs
HELPER_LDFLAGS_libsocket = $(helper_ldflags_socket)
HELPER_LDFLAGS_libsocket_async = $(helper_ldflags_socket)
HELPER_LDFLAGS_libsocket_kinds = $(helper_ldflags_socket)
# As if libstreams did not exist
HELPER_LDFLAGS_oldstreams = -Wl,-z,now

helper_cflags = -I$(srcdir)/tests/helpers/lib $(strsock_cppflags) $(AM_CFLAGS) -std=gnu11 -O2 -g -pthread
# Compiling apart from linking, which ccache does not cache
helper_compile = $(CC) $(DEFS) $(helper_cflags) $(CPPFLAGS)
helper_lib = libstreams/libstreams.la libxti/libxti.la libsocket/libsocket.la \
	libdlpi/libdlpi.la
helper_ldflags = -Wl,--as-needed -Llibxti/.libs -lxti -Llibstreams/.libs -lstreams \
	-Wl,-rpath,$(abs_builddir)/libxti/.libs:$(abs_builddir)/libstreams/.libs
helper_ldflags_socket = -Llibsocket/.libs -lsocket -Wl,-rpath,$(abs_builddir)/libsocket/.libs
helper_headers = $(wildcard $(addprefix $(srcdir)/,tests/helpers/*/*.h \
	preload/*.[ch] libsocket/*.[ch] include/*.h include/sys/*.h))

.SECONDEXPANSION:
$(helpers): $$(filter %/$$(@F).c,$$(helpers_src)) $(helper_headers) $(helper_lib)
	@$(MKDIR_P) tests/helpers
	$(AM_V_CC)$(helper_compile) $(filter -%,$(HELPER_$(subst -,_,$(@F)))) -c -o $@.o $<
	$(AM_V_at)$(helper_compile) -o $@ $@.o $(HELPER_$(subst -,_,$(@F))) \
		$(or $(HELPER_LDFLAGS_$(subst -,_,$(@F))),$(helper_ldflags)) $(LDFLAGS)

# A program of Go, where there is a compiler
helper_go = $(if $(shell command -v go),tests/helpers/cgroup-go)

tests/helpers/cgroup-go: $(srcdir)/tests/helpers/cgroup/cgroup-go.go
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)CGO_ENABLED=0 GO111MODULE=off go build -o $@ $<

# Programs that are another's source, linked otherwise
tests/helpers/libsocket-async: $(srcdir)/tests/helpers/preload/preload-async.c
tests/helpers/libsocket-kinds: $(srcdir)/tests/helpers/preload/preload-socket.c
tests/helpers/libsocket-native: $(srcdir)/tests/helpers/preload/libsocket.c

# The differential tester's player is all of tests/diff/*.c.
diff_player = tests/diff/player
diff_src = $(wildcard $(srcdir)/tests/diff/*.c)
diff_objects = $(diff_src:$(srcdir)/%.c=%.o)

$(diff_objects): %.o: $(srcdir)/%.c $(wildcard $(srcdir)/tests/diff/*.h) \
	$(srcdir)/tests/helpers/lib/socket-options.h
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)$(helper_compile) -c -o $@ $<

$(diff_player): $(diff_objects)
	$(AM_V_CCLD)$(helper_compile) -o $@ $(diff_objects) $(LDFLAGS)

# The program that makes random calls in the machine
fuzz_calls = tests/fuzz/bin/calls
fuzz_calls_src = $(wildcard $(srcdir)/tests/fuzz/machine/*.c)
fuzz_calls_objects = $(fuzz_calls_src:$(srcdir)/%.c=%.o)

$(fuzz_calls_objects): %.o: $(srcdir)/%.c $(wildcard $(srcdir)/tests/fuzz/machine/*.h)
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)$(helper_compile) -c -o $@ $<

$(fuzz_calls): $(fuzz_calls_objects) $(helper_lib)
	@$(MKDIR_P) $(@D)
	$(AM_V_CCLD)$(helper_compile) -o $@ $(fuzz_calls_objects) $(helper_ldflags) $(LDFLAGS)

check-local: all helpers
	STRSOCK_BUILD=$(abs_builddir) $(srcdir)/tests/check $(CHECKFLAGS)

# For daily work: one file of tests, by its name or a pattern; a shell in the virtual
# machine, with the options of tests/vm/run that VMFLAGS has.
.PHONY: test vm
test: all helpers
	@test -n "$(T)" || { echo "make test T=NAME: a file of tests/bats, such as T=mux" >&2; exit 2; }
	STRSOCK_BUILD=$(abs_builddir) $(srcdir)/tests/check --only '$(T)' $(CHECKFLAGS)

vm: all helpers
	PATH=$(abs_builddir)/tools:$$PATH STRSOCK_BUILD=$(abs_builddir) \
		$(abs_srcdir)/tests/vm/run --tty --timeout 86400 $(VMFLAGS) -- bash

.PHONY: helpers
helpers: $(helpers) $(helper_go) $(diff_player) $(fuzz_calls)

clean-local: helpers-clean
.PHONY: helpers-clean
helpers-clean:
	-rm -f $(helpers) $(helper_go) $(helpers:=.o) $(diff_player) $(diff_objects) $(fuzz_calls) $(fuzz_calls_objects)
	-rm -rf tests/fuzz/bin

dist-hook: dist-tests
.PHONY: dist-tests
dist-tests:
	(cd $(srcdir) && find tests .ci -type f ! -name '*.o' ! -name '*.ko' ! -name '*.mk' ! -name '.*.swp' \
		$(helpers:%=! -path %) ! -path tests/helpers/cgroup-go ! -path $(diff_player) ! -path 'tests/fuzz/bin/*' ! -path 'tests/litmus/target/*' | \
		tar cf - -T -) | (cd $(distdir) && tar xf -)

.PHONY: cover lint
cover: all helpers
	STRSOCK_BUILD=$(abs_builddir) $(srcdir)/tests/cover $(COVERFLAGS)

lint:
	KERNEL_HEADERS=$(KERNEL_HEADERS) $(srcdir)/tests/lint
