#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=host
#
# <xti.h>: every name, value, structure and prototype that XNS Issue 5 has is
# there, as xti-names.txt lists them, and <tiuser.h> has TLI's.

load common

setup() {
	needs python3
	CC=${CC:-cc}
	command -v "$CC" >/dev/null || skip "needs a C compiler"
	NAMES=$STRSOCK_SRC/tests/bats/xti-names.txt
	cd "$BATS_TEST_TMPDIR"
}

# program LIST: a C file that compiles only if the header is as the list says.
program() {
	python3 - "$1" <<-'END'
		import re, sys
		print('#include <xti.h>\n#include <stddef.h>')
		print('#define SAME(a, b) __builtin_types_compatible_p(a, b)')
		for line in open(sys.argv[1]):
		    kind, _, rest = line.strip().partition(' ')
		    if kind == 'value':
		        name, value = rest.split(None, 1)
		        print(f'#ifndef {name}\n#error no {name}\n#endif')
		        print(f'_Static_assert(({name}) == ({value}), "{rest}");')
		    elif kind == 'defined':
		        print(f'#ifndef {rest}\n#error no {rest}\n#endif')
		    elif kind == 'struct':
		        name, body = rest.split(None, 1)
		        print(f'struct want_{name} {body};')
		        print(f'_Static_assert(sizeof(struct {name}) == sizeof(struct want_{name}), "size of {name}");')
		        for field in re.findall(r'(\w+);', body):
		            print(f'_Static_assert(offsetof(struct {name}, {field}) == offsetof(struct want_{name}, {field})'
		                  f' && SAME(__typeof__(((struct {name} *)0)->{field}), __typeof__(((struct want_{name} *)0)->{field})),'
		                  f' "{name}.{field}");')
		    elif kind == 'function':
		        name = re.search(r'(\w+)\(', rest).group(1)
		        pointer = rest.replace(name + '(', '(*)(')
		        print(f'_Static_assert(SAME(__typeof__(&{name}), {pointer}), "{name}");')
		print('_Static_assert(sizeof(t_scalar_t) >= 4 && sizeof(t_scalar_t) == sizeof(t_uscalar_t), "scalars");')
		print('_Static_assert((t_scalar_t)-1 < 0 && (t_uscalar_t)-1 > 0, "signs");')
		print('_Static_assert(T_IOV_MAX >= 16, "vectors");')
		print('int *address(void) { return &t_errno; }')
	END
}

compile() {
	"$CC" -std=gnu11 -Wall -Wextra -Werror -I"$STRSOCK_SRC/include" "$@" -fsyntax-only -x c -
}

@test "every name, value, structure and prototype" {
	program "$NAMES" >all.c
	[ "$(grep -c _Static_assert all.c)" -gt 200 ]
	compile <all.c
	echo 'int main(void) { return 0; }' | "$CC" -m32 -x c - -o /dev/null 2>/dev/null || return 0
	compile -m32 <all.c
}

@test "a list that is not as the header is found out" {
	local wrong
	for wrong in "value TBADADDR 2" "value TNOSUCH 1" "defined T_NO_SUCH" \
		"struct t_info { t_scalar_t addr; }" "function int t_close(unsigned int fd)" \
		"struct t_linger { t_scalar_t l_linger; t_scalar_t l_onoff; }"; do
		echo "$wrong" >list
		program list >wrong.c
		! compile <wrong.c 2>/dev/null || { echo "not found: $wrong"; return 1; }
	done
}

@test "it declares no function beyond, and the library has all of them" {
	grep '^function' "$NAMES" | grep -oE '\w+\(' | tr -d '(' | sort >want
	[ "$(wc -l <want)" -eq 34 ]
	grep -E '^(_XTI_|[a-z]).*\b_?t_\w+\(' "$STRSOCK_SRC/include/xti.h" | grep -oE '\w+\(' |
		tr -d '(' | grep -v '^_t_errno$' | sort >have
	diff want have
	local lib=$STRSOCK_BUILD/libxti/.libs/libxti.so
	[ -e "$lib" ] || skip "libxti is not built here"
	nm -D --defined-only "$lib" | awk '$2 ~ /[TBDR]/ { print $3 }' | sort >defined
	{
		cat want
		printf '%s\n' _t_errno t_errlist t_getname t_nerr
		# netdir(3)
		printf '%s\n' _nd_error netdir_{free,getbyaddr,getbyname,options,perror,sperror} \
			taddr2uaddr uaddr2taddr
	} | sort | diff - defined
}

@test "beside the system's headers and TPI's, in any order, and in strict and other languages" {
	local order
	for order in "xti.h netinet/in.h netinet/tcp.h sys/tihdr.h stropts.h" \
		"stropts.h sys/tihdr.h netinet/tcp.h netinet/in.h xti.h" \
		"netinet/in.h tiuser.h sys/tihdr.h" "xti.h tiuser.h" "tiuser.h xti.h"; do
		printf '#include <%s>\n' $order | compile
	done
	echo '#include <xti.h>' | compile -std=c99 -pedantic
	! command -v c++ >/dev/null ||
		echo '#include <tiuser.h>' | c++ -Wall -Wextra -Werror -I"$STRSOCK_SRC/include" -fsyntax-only -x c++ -
}

@test "TLI's names" {
	compile <<-'END'
		#include <tiuser.h>
		char *text(int n) { return n < t_nerr ? t_errlist[n] : (char *)0; }
		int *error(void) { return &t_errno; }
		char first(struct netbuf *nb) { return nb->buf[0]; }
		_Static_assert(T_BIND_STR == 1 && T_OPTMGMT_STR == 2 && T_CALL_STR == 3, "");
		_Static_assert(T_DIS_STR == 4 && T_UNITDATA_STR == 5 && T_UDERROR_STR == 6, "");
		_Static_assert(T_INFO_STR == 7 && T_ERROR == 0x20 && T_EVENTS == 0xff, "");
		_Static_assert(T_FAKE == 8 && SENDZERO == 1, "");
	END
}

@test "declarations that programs for TLI repeat" {
	compile -std=gnu89 -Wno-strict-prototypes <<-'END'
		#include <tiuser.h>
		extern int t_errno, t_nerr;
		extern char *t_errlist[], *t_alloc(), *t_strerror();
		extern void t_error();
		extern int t_open(), t_bind(), t_connect(), t_listen(), t_accept(), t_close();
		extern int t_snd(), t_rcv(), t_sndudata(), t_rcvudata(), t_rcvuderr();
		extern int t_getinfo(), t_getstate(), t_look(), t_optmgmt(), t_free(), t_sync();
		extern int t_sndrel(), t_rcvrel(), t_snddis(), t_rcvdis(), t_rcvconnect(), t_unbind();
		extern int t_getname();
		_Static_assert(LOCALNAME != REMOTENAME, "");
		struct t_bind *any(fd)
		int fd;
		{
			return (struct t_bind *)t_alloc(fd, T_BIND, T_ALL);
		}
	END
}

@test "beside libtirpc's rpc/rpc.h, in any order: netbuf and t_bind are those of both" {
	needs pkg-config
	local flags order
	flags=$(pkg-config --cflags libtirpc) || skip "needs libtirpc-dev"
	for order in "rpc/rpc.h tiuser.h" "tiuser.h rpc/rpc.h" "rpc/rpc.h xti.h" "xti.h rpc/rpc.h" \
		"netconfig.h netdir.h xti.h rpc/rpc.h"; do
		{
			printf '#include <%s>\n' $order
			cat <<-'END'
				CLIENT *client(int fd, struct t_bind *bound)
				{
					return clnt_tli_create(fd, (struct netconfig *)0, &bound->addr, 1, 1, 0, 0);
				}
			END
		} | compile $flags
	done
	! command -v c++ >/dev/null ||
		printf '#include <%s>\n' tiuser.h rpc/rpc.h |
			c++ -Wall -Wextra -Werror $flags -I"$STRSOCK_SRC/include" -fsyntax-only -x c++ -
}

@test "options are found one after the other, and none outside of the buffer" {
	cat >walk.c <<-'END'
		#include <xti.h>
		#include <stdio.h>
		#include <string.h>
		int main(void)
		{
		        struct { struct t_opthdr a; char va[3]; char pad; struct t_opthdr b; int vb; } o;
		        struct netbuf nb = { sizeof(o), sizeof(o), &o };
		        struct t_opthdr *h;
		        unsigned int i;

		        memset(&o, 0, sizeof(o));
		        o.a.len = sizeof(o.a) + 3;
		        o.b.len = sizeof(o.b) + 4;
		        for (i = 0; i <= sizeof(o); i++) {
		                int n = 0;

		                nb.len = i;
		                for (h = T_OPT_FIRSTHDR(&nb); h; h = T_OPT_NEXTHDR(nb.buf, nb.len, h))
		                        n++;
		                printf("%u:%d ", i, n);
		        }
		        o.a.len = 0;
		        nb.len = sizeof(o);
		        h = T_OPT_FIRSTHDR(&nb);
		        printf("%d %td %x %x\n", T_OPT_NEXTHDR(nb.buf, nb.len, h) == 0, (char *)T_OPT_DATA(h) - (char *)h,
		               SET_TOS(T_NETCONTROL, T_LDELAY | T_LOCOST), (unsigned int)T_ALIGN(5));
		        return 0;
		}
	END
	"$CC" -Wall -Wextra -Werror -I"$STRSOCK_SRC/include" -o walk walk.c
	run -0 ./walk
	echo "$output"
	local want="" i
	for i in {0..40}; do
		want+="$i:$((i < 16 ? 0 : i < 36 ? 1 : 2)) "
	done
	[ "$output" = "${want}1 16 f2 8" ]
}
