# SPDX-License-Identifier: GPL-2.0-only
# The targets of tests/fuzz/run: the sources of each, how it is compiled, its corpus

# Each target's name, and the code that it tests
about=(
	msg "messages and queues: mblk, msg, queue, band, flow, strsun"
	loop "primitives of ticlts, ticots, ticotsord: all of strtiloop, strtpi"
	inet "primitives of tcp, udp_s, rawip, sctp: all of strinet, strtpi"
	udp "primitives, options and datagrams to send of udp: strudp, strtpi"
	mod "timod, tirdwr, bufmod, pfmod, pipemod, nullmod above a driver that lies"
	sad "the ioctls of /dev/streams/sad"
	conf "the preload's rules, and libsocket's sock2path"
	xti "libxti against a provider that lies"
	uaddr "libxti's universal addresses"
)

# A stream's executive, as far as it is real
executive="mblk msg queue band flow freeze put strsun strqset perim sched calls"

libstreams="libstreams/getmsg.c libstreams/isastream.c libstreams/putmsg.c
	libstreams/strio.c"

kmod() {
	printf "kmod/$1/%s.c " "${@:2}"
}

# streams NAME...: of kmod/streams, in whichever folder
streams() {
	local name
	for name; do
		printf '%s ' "$top"/kmod/streams/*/"$name.c"
	done | sed "s|$top/||g"
}

# module FOLDER NAME: all sources of a module
module() {
	sed -n "s/^$2-y [:+]=//p" "$top/kmod/$1/Kbuild" | tr ' ' '\n' | sed -n "s|\(.*\)\.o|kmod/$1/\1.c|p"
}

fuzz() {
	printf 'tests/fuzz/%s.c ' main "$@"
}

# shellcheck disable=SC2086,SC2046 # lists
declare -A sources=(
	[msg]="$(fuzz msg) tests/unit/stub.c $(streams mblk msg queue band flow freeze put strsun strqset)"
	[loop]="$(fuzz loop tpi prim streams kernel) tests/unit/stub.c $(streams $executive)
		$(kmod tpi tpi opt driver) $(module tiloop strtiloop)"
	[inet]="$(fuzz inet direct sock tpi prim streams kernel) tests/unit/stub.c $(streams $executive errand)
		$(module tpi strtpi) $(module inet strinet)"
	[udp]="$(fuzz udp direct sock tpi prim streams kernel) tests/unit/stub.c $(streams $executive errand)
		$(module tpi strtpi) $(kmod udp driver end life prim unitdata opt in ind)"
	[mod]="$(fuzz mod prim streams kernel) tests/unit/stub.c $(streams $executive) kmod/tpi/tpi.c
		$(kmod modules timod tirdwr bufmod pfmod pipemod nullmod)"
	[sad]="$(fuzz sad kernel) tests/unit/stub.c $(streams sad)"
	[conf]="$(fuzz conf) preload/conf.c preload/rules.c preload/pushlist.c libsocket/sock2path.c"
	[xti]="$(fuzz xti xti_stream) $(cd "$top" && find libxti -name "*.c")
		$libstreams"
	[uaddr]="$(fuzz uaddr) libxti/netdir/netdir.c libxti/netdir/error.c libxti/netdir/inet.c
		libxti/netdir/kind.c libxti/netdir/netbuf.c
		libxti/netdir/uaddr.c"
)
names=("${!sources[@]}")

# Targets of the kernel's own sources
is_kernel() {
	[[ $1 != conf && $1 != xti && $1 != uaddr ]]
}

# Empty files for headers of the kernel that nothing here replaces: prints their folder.
kernel_headers() {
	local to=$1 name
	shift
	mkdir -p "$to"
	while read -r name; do
		[ -e "$top/tests/unit/include/$name" ] || [ -e "/usr/include/$name" ] ||
			[ -e "$to/$name" ] || {
			mkdir -p "$(dirname "$to/$name")"
			: >"$to/$name"
		}
	done < <(cat "$@" | sed -nE 's,^#include <((linux|net|asm)/[a-z0-9_/-]*\.h)>.*,\1,p' | sort -u)
}

# fuzz_build TARGET BIN COVERAGE: compiles into BIN what has changed since the last time;
# targets share what they are made of
fuzz_build() {
	local what=$1 clang=${STRSOCK_CLANG:-clang} kind=user objects made source wanted=() wrapped=()
	command -v "$clang" >/dev/null || {
		echo "tests/fuzz/run: $clang is not installed (tests/packages lists what the tests need)" >&2
		return 1
	}
	local flags=(-std=gnu11 -D_GNU_SOURCE -g -O1 -fno-omit-frame-pointer -fno-strict-aliasing
		-Wall -Werror -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all
		-I"$top/tests/fuzz" -I"$top/include")
	if is_kernel "$what"; then
		kind=kernel
	fi
	if [ -n "$3" ]; then
		kind=$kind-coverage
		flags+=(-fprofile-instr-generate -fcoverage-mapping)
	fi
	objects=$2/$kind
	mkdir -p "$objects"
	if is_kernel "$what"; then
		kernel_headers "$objects/include" "$top"/kmod/{streams/*,tpi,udp,inet,tiloop,modules}/*.[ch]
		# The kernel's own style
		flags+=(-D__KERNEL__ -include "$top/tests/fuzz/include/kernel.h" -Wno-unused-function
			-Wno-gnu-variable-sized-type-not-at-end
			-I"$top/tests/unit/include" -I"$top/tests/fuzz/include" -I"$objects/include"
			-I"$top/kmod")
	else
		flags+=(-I"$top/preload" -I"$top/libsocket" -I"$top" -I"$top/libxti")
	fi
	[ "$what" != xti ] || wrapped=(-Wl,--wrap={open,close,ioctl,syscall,poll})
	# Other flags: all anew
	[ "$clang ${flags[*]}" = "$(cat "$objects/flags" 2>/dev/null)" ] || {
		rm -f "$objects"/*.o
		echo "$clang ${flags[*]}" >"$objects/flags"
	}
	# Relative, as in the dependencies that ccache keeps for all checkouts
	made=$(realpath --relative-to="$top" "$objects")
	# shellcheck disable=SC2016 # make's own variables
	{
		echo "flags = ${flags[*]}"
		for source in ${sources[$what]}; do
			wanted+=("$made/${source//\//_}.o")
		done
		echo "$made/$what: ${wanted[*]}"
		printf '\t%s $(flags) -fsanitize=fuzzer %s -o $@ $^ -lpthread\n' "$clang" "${wrapped[*]}"
		for source in ${sources[$what]}; do
			echo "$made/${source//\//_}.o: $top/$source"
			printf '\t%s $(flags) -MMD -MP -c -o $@ $<\n' "$clang"
		done
		echo "-include $made/*.d"
	} >"$objects/$what.mk"
	# In the top folder, with paths below it, any checkout compiles the same.
	CCACHE_BASEDIR=$top "$top/tests/vm/ccached" make -s -C "$top" -j"$(nproc)" -f "$objects/$what.mk" "$made/$what" >&2 || return 1
	program=$objects/$what
}

# corpus_unpack FILE DIR: a file for each line of hexadecimal digits
corpus_unpack() {
	local n=0 line
	[ -e "$1" ] || return 0
	while read -r line; do
		case $line in
		'#'* | '') continue ;;
		esac
		n=$((n + 1))
		perl -e 'print pack "H*", $ARGV[0]' "$line" >"$2/$(printf %04d $n)"
	done <"$1"
}

# corpus_pack DIR FILE: the lines of comment stay, with the inputs that follow them
corpus_pack() {
	local file
	{
		sed -n '/^#/,$p' "$2" 2>/dev/null | awk '/^#/ { keep = 1 } /^$/ { keep = 0 } keep'
		echo
		for file in "$1"/*; do
			perl -0777 -ne 'print unpack("H*", $_), "\n"' "$file"
		done | awk '{ print length($0) " " $0 }' | sort -n | cut -d' ' -f2 | head -c 16000 | sed '$d'
	} >"$2.new"
	mv "$2.new" "$2"
}

coverage_print() {
	local tool
	tool=$(dirname "$(realpath "$(command -v "${STRSOCK_CLANG:-clang}")")")
	"$tool/llvm-profdata" merge -o "$2.data" "$2"
	"$tool/llvm-cov" report "$1" -instr-profile="$2.data" -show-functions=0 | grep -E '(kmod|libxti|preload|libsocket|libstreams)/|TOTAL'
}
