#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=host
#
# tests/commits: the form of the commits that a branch adds. It is tried in a
# repository of its own.

load common

setup() {
	needs git
	cd "$BATS_TEST_TMPDIR"
	export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
	export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@example.org
	export GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@example.org
	git init -q -b main whole
	cd whole
	# Commits that are there already are not judged.
	git commit -q --allow-empty -m 'an old commit without a sign-off.'
	git branch base
}

add() {
	git commit -q --allow-empty "$@"
}

commits() {
	"$STRSOCK_SRC/tests/commits" "${1-base}"
}

# broken WHY: the last commit is the only one at fault, for that alone
broken() {
	run -1 commits
	[[ ${lines[0]} == "$(git log -1 --format=%h) "*": $1"* ]] || { echo "$output"; return 1; }
	[[ ${lines[1]} == "commits: "*" checked, 1 faults" ]] || { echo "$output"; return 1; }
	git reset -q --hard HEAD^
}

seventy_two=$(printf '%072d' 0)

@test "commits in form pass: a subject of 72 columns, a wrapped body, signed off" {
	add -s -m "$seventy_two" -m "$(printf '%s\n' "The reason." '' \
		"    indented output $seventy_two $seventy_two" \
		"https://example.org/$seventy_two$seventy_two")"
	# Columns are characters, not bytes.
	add -s -m "${seventy_two//0/é}"
	run -0 commits
	[ "$output" = "commits: 2 checked, 0 faults" ]
}

@test "a subject that is too long, or ends in a period, or is for another commit" {
	add -s -m "0$seventy_two"
	broken "the subject has 73 columns"
	add -s -m "a sentence."
	broken "the subject ends in a period"
	add -s -m "fixup! another"
	broken "it is to be combined"
}

@test "a body that is not wrapped, or not apart from the subject" {
	add -s -m "subject" -m "A line that has $seventy_two columns more"
	broken "a line of 101 columns"
	printf '%s\n' "subject" "goes on" "" "Signed-off-by: Ann <ann@example.org>" |
		git commit -q --allow-empty --cleanup=verbatim -F -
	broken "no empty line follows"
}

@test "a commit that is not signed off, or not by its author" {
	add -m "subject"
	broken "it is not signed off by Ann <ann@example.org>"
	add -m "subject" -m "Signed-off-by: Bob <bob@example.org>"
	broken "it is not signed off by Ann"
}

@test "each commit is checked, but no merge" {
	add -m "first"
	add -s -m "second"
	git checkout -q -b side base
	add -m "third"
	git merge -q --no-edit main
	run -1 commits
	[[ $output == *'"first": it is not signed'*'"third": it is not signed'* ]]
	[ "${lines[-1]}" = "commits: 3 checked, 2 faults" ]
}

@test "a clone that lacks the base has nothing to check, and reports that" {
	git checkout -q main
	add -m "not signed"
	git clone -q --depth 1 "file://$PWD" ../shallow
	cd ../shallow
	# A shallow clone of the branch itself: it adds nothing.
	run -0 "$STRSOCK_SRC/tests/commits"
	[ "$output" = "commits: 0 checked, 0 faults" ]
	git update-ref -d refs/remotes/origin/main
	run -0 "$STRSOCK_SRC/tests/commits"
	[ "$output" = "commits: no origin/main that this branch began at: nothing to check" ]
	# One that was asked for must exist.
	run -2 commits nowhere
	[[ $output == *"there is no commit nowhere"* ]]
	# ... and may have no history in common with this.
	git -C ../whole checkout -q --orphan other
	git -C ../whole commit -q --allow-empty -m other
	git fetch -q --depth 1 origin other:other
	run -0 commits other
	[[ $output == *"no other that this branch began at: nothing to check" ]]
}
