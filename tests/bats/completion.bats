#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=host
#
# The completions of bash for strsock, strstat, strview, strinfo, strconf, strchg and
# autopush

load common

setup() {
	[ -e /usr/share/bash-completion/bash_completion ] || skip "bash-completion is not installed"
}

# completed WORD...: the completions of the last word, one a line. As readline
# does it, bash splits each word at "=" and ":", which are words of their own.
completed() {
	bash -c '
		. /usr/share/bash-completion/bash_completion
		for file in "$1"/data/completions/*; do . "$file" || exit; done
		# Outside of a completion there is nothing to be set.
		compopt() { :; }
		COMP_LINE="${*:2}"
		COMP_POINT=${#COMP_LINE}
		mapfile -t COMP_WORDS < <(printf "%s\n" "${@:2}" | sed "s/[=:]\+/\n&\n/g; s/\n\$//")
		[[ $COMP_LINE == *[=:] ]] && COMP_WORDS+=("")
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		"_$2"
		printf "%s\n" "${COMPREPLY[@]}"
	' bash "$STRSOCK_SRC" "$@"
}

@test "options are those of --help" {
	[ "$(completed strsock --no-)" = $'--no-pipe\n--no-udp\n--no-tcp' ]
	[ "$(completed strstat --j)" = --json ]
	[ "$(completed autopush --m)" = $'--major=\n--minor=' ]
	local tool option
	cd "$BATS_TEST_TMPDIR"
	for tool in strsock strstat strview strinfo strconf strchg autopush; do
		"$tool" --help >help
		for option in $(completed "$tool" -); do
			grep -q -- "[ ,]${option%=}\\b" help
		done
	done
}

@test "strsock: after its options there are commands, after --config files" {
	completed strsock bas | grep -qx bash
	completed strsock --udp bas | grep -qx bash
	completed strsock --push nullmod bas | grep -qx bash
	[ "$(completed strsock --on u)" = udp ]
	[ "$(completed strsock --on=t)" = tcp ]
	[ "$(completed strsock --on=)" = $'pipe\nudp\ntcp' ]
	[ "$(completed strsock --push=tee:dir=in --on=p)" = pipe ]
	completed strsock --push=tee:dir=in,count --all bas | grep -qx bash
	[ "$(completed strsock --push=tee:dir=in -- strview --color=ne)" = never ]
	cd "$STRSOCK_SRC/preload"
	[ "$(completed strsock --config strsock.c)" = strsock.conf ]
	[ "$(completed strsock --config=strsock.c)" = strsock.conf ]
}

@test "strstat: values of options are kinds, states, users and programs" {
	[ "$(completed strstat --kind t)" = tcp ]
	[ "$(completed strstat --state l)" = $'listening\nlast-ack' ]
	[ "$(completed strstat --state=t)" = time-wait ]
	completed strstat --user ro | grep -qx root
	completed strstat --user=ro | grep -qx root
	completed strstat --program bas | grep -qx bash
}

@test "strview: values of options are files, users, processes and programs" {
	[ "$(completed strview --color a)" = $'always\nauto' ]
	completed strview --user ro | grep -qx root
	cd "$STRSOCK_SRC/preload"
	[ "$(completed strview --output strsock.c)" = strsock.conf ]
	[ "$(completed strview --output=strsock.c)" = strsock.conf ]
	completed strview --pid="${BASHPID:0:2}" | grep -qx "$BASHPID"
}

@test "each is installed" {
	local file
	for file in "$STRSOCK_SRC"/data/completions/*; do
		grep -q "data/completions/${file##*/}\\b" "$STRSOCK_SRC/data/local.mk"
	done
}
