#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=host
#
# The manual: every function that kernel modules may call has its page, every
# page is found by its names and is written without a mistake.

load common

setup() {
	cd "$STRSOCK_SRC"
}

# functions HEADER: the names of those that it declares
functions() {
	python3 - "$1" <<-'END'
		import re, sys
		text = open(sys.argv[1]).read()
		text = re.sub(r'/\*.*?\*/', ' ', text, flags=re.S)
		text = re.sub(r'^[ \t]*#(.*\\\n)*.*$', '', text, flags=re.M)
		text = text.replace('__printf(5, 6)', '')
		flat, depth = '', 0
		for c in text:
		    depth += (c == '{') - (c == '}')
		    if not depth:
		        flat += c
		print('\n'.join(sorted(set(re.findall(r'\b(\w+)\(', flat)))))
	END
}

# names PAGE: by what its section NAME says
names() {
	awk '/^\.Sh /{ in_name = $2 == "NAME" } /^\.Nd /{ in_name = 0 }
		in_name && /^\.Nm /{ print $2 }' "$@"
}

# pages GOAL|VARIABLE=VALUE...: make of goals that only copy pages, and so need not wait
# for the modules that another file of tests builds
pages() {
	make -s -C "$STRSOCK_BUILD" "$@"
}

@test "every function for kernel modules has a page of section 9 with its synopsis" {
	local header name page missing=0 found=0
	for header in include/sys/stream.h include/sys/strsun.h include/sys/strparam.h \
		include/sys/strlog.h; do
		while read -r name; do
			found=$((found + 1))
			page=$(grep -lE "^\.Nm $name( ,)?$" man/man9/*.9) || page=
			if [ "$(wc -w <<<"$page")" -ne 1 ] || ! names $page | grep -qx "$name"; then
				echo "$name of $header: on pages: ${page:-none}"
				missing=1
			elif ! grep -qE "^\.Fn $name( |$)" $page; then
				echo "$name of $header: no synopsis on $page"
				missing=1
			fi
		done < <(functions "$header")
	done
	[ "$missing" -eq 0 ]
	# The sum of what the headers have, or the test looks at nothing.
	[ "$found" -ge 80 ]
}

@test "every function of XTI has a page of section 3 with its synopsis, states and errors" {
	local name page found=0
	while read -r name; do
		found=$((found + 1))
		page=$(grep -lE "^\.Fn $name( |$)" $(grep -lE "^\.Nm $name( ,)?$" man/man3/*.3)) || page=
		[ "$(wc -w <<<"$page")" -eq 1 ] || { echo "$name: on pages: ${page:-none}"; return 1; }
		grep -q '^\.Sh STANDARDS' "$page" || { echo "$page: no STANDARDS"; return 1; }
		case $name in
		t_error | t_strerror | t_sysconf) continue ;;
		esac
		grep -q '^\.Ss States' "$page" && grep -q '^\.It Dv TBADF' "$page" ||
			{ echo "$page: no states, or no errors"; return 1; }
	done < <(sed -n 's/^function .*[ *]\(t_[a-z]*\)(.*/\1/p' tests/bats/xti-names.txt)
	[ "$found" -eq 34 ]
}

@test "every macro of messages has a place on a page of section 9" {
	local name
	for name in $(sed -nE 's/^#define ((DB_|MBLK)[A-Z]+)\(.*/\1/p' include/sys/stream.h); do
		names man/man9/*.9 | grep -qx "$name" || { echo "$name"; return 1; }
	done
}

@test "every constant of message types, options and perimeters is described in section 9" {
	local name missing=0
	for name in $(sed -nE 's/^#define ((M_|SO_|D_MT|PERIM_|MSG|IOC_)[A-Z0-9_]+)\t.*/\1/p' \
		include/sys/stream.h include/sys/strsun.h); do
		case $name in
		# Values that modules compare with IOC_NATIVE
		IOC_LP64 | IOC_MODELS) continue ;;
		esac
		grep -qE "(^|[^A-Z0-9_])$name([^A-Z0-9_]|$)" man/man9/*.9 || { echo "$name"; missing=1; }
	done
	[ "$missing" -eq 0 ]
}

@test "a page of functions states their context and the standard they are of" {
	local page
	for page in man/man9/*.9; do
		grep -q '^\.Sh STANDARDS' "$page" || { echo "$page: no STANDARDS"; return 1; }
		! grep -q '^\.Ft ' "$page" || grep -q '^\.Sh CONTEXT' "$page" ||
			{ echo "$page: no CONTEXT"; return 1; }
	done
}

@test "intro(9) has every name of section 9" {
	local page name
	for page in man/man9/*.9; do
		while read -r name; do
			[ "$name" = intro ] || grep -q "Xr $name 9" man/man9/intro.9 ||
				{ echo "$page: $name"; return 1; }
		done < <(names "$page")
	done
}

@test "strlimits(7) has the figures of the sources" {
	local file name value found=0
	while read -r _ _ file name value; do
		found=$((found + 1))
		awk -v name="$name" -v value="$value" '
			$1 == "#define" && $2 == name {
				sub(/^#define[ \t]+[^ \t]+[ \t]+/, "")
				sub(/[ \t]*\/\*.*/, "")
				found = $0 == value
			}
			END { exit !found }
		' "$file" || { echo "$file: $name is not $value"; return 1; }
	done < <(grep '^\.\\" limit:' man/man7/strlimits.7)
	[ "$found" -ge 30 ]
}

@test "every page is installed" {
	local page
	for page in man/man[1-9]/*.[1-9]; do
		grep -q "\\b$page\\b" man/local.mk || { echo "$page"; return 1; }
	done
}

@test "man(1) finds a page by each of its names" {
	needs man
	[ -f "$STRSOCK_BUILD/Makefile" ] || skip "not built here"
	local root=$BATS_TEST_TMPDIR/root dir name mandir
	pages install-man install-man-aliases DESTDIR="$root"
	dir=$(dirname "$(find "$root" -name man9 -type d)")
	for name in allocb freemsg putnext qreply RD strmod_register streamtab miocack qunbufcall; do
		run -0 man -M "$dir" -w 9 "$name"
		man -M "$dir" 9 "$name" | grep -qw "$name"
	done
	[ "$(man -M "$dir" 3 getpmsg | head -n 1)" = "$(man -M "$dir" 3 getmsg | head -n 1)" ]
	[ "$(man -M "$dir" 4 udp6 | head -n 1)" = "$(man -M "$dir" 4 udp | head -n 1)" ]
	pages uninstall-man uninstall-man-aliases DESTDIR="$root"
	run -0 find "$root" ! -type d
	[ -z "$output" ]
}

@test "no name is that of two pages" {
	local section all
	for section in 1 2 3 4 5 7 8 9; do
		compgen -G "man/man$section/*.$section" >/dev/null || continue
		all=$(for page in "man/man$section"/*."$section"; do
			{ basename "$page" ".$section"; names "$page"; } | sort -u
		done | sort)
		run -0 uniq -d <<<"$all"
		[ -z "$output" ]
	done
}

@test "no page is a file of Debian's own manual pages, which make install --prefix=/usr would overwrite" {
	command -v apt-get >/dev/null || skip "needs apt-get"
	[ -f "$STRSOCK_BUILD/Makefile" ] || skip "not built here"
	local root=$BATS_TEST_TMPDIR/root suite deb debs
	pages install-man install-man-aliases DESTDIR="$root" prefix=/usr mandir=/usr/share/man
	(cd "$root" && find . ! -type d -name '*.[1-9]') | sort >"$BATS_TEST_TMPDIR/ours"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/ours")" -gt 200 ]
	for suite in bookworm trixie; do
		debs=$(tests/clean/debs "$suite" manpages manpages-dev)
		for deb in $debs; do
			dpkg-deb --fsys-tarfile "$deb" | tar t
		done | sed 's/[.]gz$//' | sort >"$BATS_TEST_TMPDIR/theirs"
		grep -qx './usr/share/man/man2/getmsg[.]2' "$BATS_TEST_TMPDIR/theirs"
		run -0 comm -12 "$BATS_TEST_TMPDIR/ours" "$BATS_TEST_TMPDIR/theirs"
		[ -z "$output" ]
	done
}

@test "man finds the page of this project where the name is also that of one of Linux's" {
	needs man
	[ -f "$STRSOCK_BUILD/Makefile" ] || skip "not built here"
	local root=$BATS_TEST_TMPDIR/root name
	pages install-man install-man-aliases DESTDIR="$root" prefix=/usr mandir=/usr/share/man
	# man searches section 3 before section 2, where Debian says that Linux has no such call.
	for name in getmsg getpmsg putmsg putpmsg; do
		mkdir -p "$root/usr/share/man/man2"
		cp man/man3/getmsg.3 "$root/usr/share/man/man2/$name.2"
		run -0 man -M "$root/usr/share/man" -w "$name"
		[[ $output == "$root/usr/share/man/man3/"* ]]
	done
}

@test "the pages of the project that pages refer to exist" {
	local page ref aliases missing=0
	aliases=$(man/aliases man/man[1-9]/*.[1-9])
	while read -r page ref; do
		[ -f "man/man${ref##*.}/$ref" ] || grep -q "^$ref " <<<"$aliases" ||
			{ echo "$page: $ref"; missing=1; }
	done < <(grep -E '^\.Xr ([A-Za-z_]+ 9|t_[a-z]+ 3)' man/man[1-9]/*.[1-9] |
		sed -E 's/^([^:]*):\.Xr ([A-Za-z0-9_]+) ([0-9]).*/\1 \2.\3/')
	[ "$missing" -eq 0 ]
}

@test "the rules that strsock.conf(5) gives as examples are valid" {
	awk '/^\.Bd -literal/ { on = 1; next } /^\.Ed/ { on = 0 } on; sub(/^\.Dl /, "")' \
		man/man5/strsock.conf.5 >"$BATS_TEST_TMPDIR/rules"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/rules")" -ge 5 ]
	strsock -c "$BATS_TEST_TMPDIR/rules" true
	echo "tar pipe" >>"$BATS_TEST_TMPDIR/rules"
	run ! strsock -c "$BATS_TEST_TMPDIR/rules" true
}

@test "mandoc, groff and man print no warning" {
	local page
	for page in man/man[1-9]/*.[1-9]; do
		if command -v mandoc >/dev/null; then
			run -0 mandoc -T lint -W warning "$page"
			[ -z "$output" ]
		fi
		if command -v groff >/dev/null; then
			# Without "break": a line that cannot be adjusted is not a defect.
			run -0 groff -ww -Wbreak -mandoc -Tutf8 "$page"
			run -0 bash -c 'groff -ww -Wbreak -mandoc -Tutf8 "$1" 2>&1 >/dev/null' bash "$page"
			[ -z "$output" ]
		fi
		if command -v man >/dev/null; then
			run -1 bash -c 'MANWIDTH=80 man --warnings -l "$1" 2>&1 >/dev/null |
				grep -v "cannot adjust line"' bash "$page"
			[ -z "$output" ]
		fi
	done
}
