#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=machine
#
# bench/run, bench/report, bench/profile and bench/kernel-time: their output, that counted figures
# are the same in every run, and their messages for wrong options.

load common

BENCH=$BATS_TEST_DIRNAME/../../bench

setup_file() {
	[ "${STRSOCK_IN_VM:-}" != 1 ] || skip "starts machines itself"
	command -v qemu-system-x86_64 >/dev/null || skip "no QEMU"
	[ -x "$STRSOCK_BUILD/bench/perftest" ] || skip "bench/perftest is not built"
}

# counted FILE KERNEL: the smallest of selections
counted() {
	"$BENCH/run" --mode counted --kernel "$2" --quick --works 'pipe,udp-direct,tcp' \
		--impls native,streams,sockmap --sizes 1,512 --count 1000 --repeat 3 --build "$STRSOCK_BUILD" --out "$1" 2>&1
}

@test "two counted runs write valid results that are equal to 1 %, and a report of them" {
	cd "$BATS_FILE_TMPDIR"
	local release
	release=$("$BENCH/../tests/vm/kernel" default | head -n 1)
	counted one.json default
	counted two.json "$release"
	python3 - "$release" one.json two.json <<-'END'
		import json, sys
		release, *paths = sys.argv[1:]
		runs = [json.load(open(path)) for path in paths]
		for run in runs:
		    assert set(run) == {"machine", "results"}, run.keys()
		    assert run["machine"]["kernel"] == release, run["machine"]
		    assert run["machine"]["mode"] == "counted", run["machine"]
		    # No copy is counted byte by byte.
		    assert "clearcpuid=erms," in run["machine"]["cmdline"], run["machine"]
		    assert not run["machine"]["failed"], run["machine"]["failed"]
		    for r in run["results"]:
		        assert set(r) == {"work", "size", "impl", "mode", "metric", "median", "min", "max"}, r
		        assert r["min"] <= r["median"] <= r["max"], r
		one, two = ({(r["work"], r["size"], r["impl"]): r["median"] for r in run["results"]
		             if r["metric"] == "instructions_per_message"} for run in runs)
		assert len(one) == 14 and one.keys() == two.keys(), (one, two)
		for key, value in one.items():
		    assert 500 < value < 100000, (key, value)
		    # TCP natively has timers.
		    bound = 0.05 if key[0] == "tcp" else 0.01
		    assert abs(value - two[key]) <= bound * value, (key, value, two[key])
		# BPF does redirect.
		assert one["tcp", 512, "sockmap"] < one["tcp", 512, "native"] / 2, one
	END
	"$BENCH/report" one.json --out report
	grep -q '<h2>Requirements</h2>' report/report.html
	grep -q '^| pipe, one process, 1-512 B | streams | 1\.[0-9]* | [0-9.]* (pipe, [0-9]* B) |' report/report.md
	grep -q 'Bidulock' report/report.md
	if command -v gnuplot; then
		grep -q '<svg' report/pipe-counted-delay.svg
		[ -s report/pipe-counted-improvement.png ]
	fi
}

@test "native mode measures where the modules are loaded: here, in a machine" {
	cd "$BATS_TEST_TMPDIR"
	"$BENCH/../tests/vm/run" --uml --timeout 300 -- sh -c '"$@" >&2 && cat out.json' sh \
		"$BENCH/run" --mode native --works "pipe-two,udp,pipe-memory,xti-udp,tcp,tcp-burst,tcp-two,sctp-two" \
		--impls 'native,streams,xti*' --sizes 64 --time 10 --repeat 2 --build "$STRSOCK_BUILD" --out out.json >out.json
	python3 - out.json <<-'END'
		import json, sys
		run = json.load(open(sys.argv[1]))
		assert not run["machine"]["virtual"] and not run["machine"]["failed"], run["machine"]
		seen = {(r["work"], r["impl"], r["metric"]) for r in run["results"] if r["median"] > 0}
		for impl in "native", "streams":
		    for work, metric in (("pipe-two", "messages_per_second"), ("udp", "messages_per_second"),
		                         ("pipe-memory", "bytes_per_open")):
		        assert (work, impl, metric) in seen, (work, impl, metric, seen)
		for work, impls in (("xti-udp", "native xti xtios"), ("tcp", "native streams xtios"),
		                    ("tcp-burst", "native streams xtios xtios-more"),
		                    ("tcp-two", "native streams xtios xtios-more")):
		    found = {impl for w, impl, metric in seen if (w, metric) == (work, "messages_per_second")}
		    assert found == set(impls.split()), (work, found)
		# Where the kernel has no SCTP that is said.
		skipped = [line for line in run["machine"]["skipped"] if line.startswith("sctp-two native: ")]
		assert skipped or ("sctp-two", "native", "messages_per_second") in seen, run["machine"]
	END
}

@test "a wrong option, folder or mode is reported at once" {
	run "$BENCH/run" --mode counted --works pipes --out x.json
	[ "$status" -eq 2 ]
	[[ $output = *"'pipes' is none of pipe, pipe-two"* ]]
	run "$BENCH/run" --mode counted --sizes 1,0 --out x.json
	[ "$status" -eq 2 ]
	[[ $output = *"'1,0' is not a list of bytes"* ]]
	run "$BENCH/run" --mode wall --out /nowhere/x.json
	[ "$status" -eq 2 ]
	[[ $output = *"/nowhere is not a folder that can be written"* ]]
	run "$BENCH/run" --mode wall --out /dev/null
	[ "$status" -eq 2 ]
	[[ $output = *"/dev/null: there already, and no file"* ]]
	[ -c /dev/null ]
	# One line, whatever it is
	run "$BENCH/run" --mode quick
	[ "$status" -eq 2 ]
	[ "${#lines[@]}" -eq 1 ]
	run "$BENCH/run" --mode native --kernel 6.12 --out "$BATS_TEST_TMPDIR/x.json"
	[ "$status" -eq 2 ]
	[[ $output = *"native measures the kernel that this machine runs" ]]
	if [ ! -e /proc/streams ]; then
		run "$BENCH/run" --mode native --out "$BATS_TEST_TMPDIR/x.json"
		[ "$status" -eq 2 ]
		[[ $output = *"needs the modules loaded on this machine"* ]]
		[ ! -e "$BATS_TEST_TMPDIR/x.json" ]
	fi
	run "$BENCH/apps" --mode counted --apps doom --out x.json
	[ "$status" -eq 2 ]
	[[ $output = *"'doom' is none of filters"* ]]
	run "$BENCH/profile" --impl none
	[ "$status" -eq 2 ]
	[[ $output = *"'none' is none of native"* ]]
	run "$BENCH/profile" --work 'pipe*'
	[ "$status" -eq 2 ]
	[[ $output = *"one work and one impl only"* ]]
}

# refused FILE WORDS: by bench/report, in one line that has these words
refused() {
	run "$BENCH/report" "$1" --out "$BATS_TEST_TMPDIR/report"
	echo "$output"
	[ "$status" -eq 2 ]
	[ "${#lines[@]}" -eq 1 ]
	[[ $output = "bench/report: $1: $2"* ]]
	[ ! -e "$BATS_TEST_TMPDIR/report" ]
}

@test "a file that holds no results is refused with the reason" {
	local bad=$BATS_TEST_TMPDIR/bad
	refused "$bad.none" "No such file"
	printf '{"machine"' >"$bad.cut"
	refused "$bad.cut" "not a file that bench/run or bench/apps wrote"
	printf '\377\376\0' >"$bad.bytes"
	refused "$bad.bytes" "not a file that bench/run or bench/apps wrote"
	echo '{"machine": {}, "results": [1]}' >"$bad.list"
	refused "$bad.list" "result 0 is not an object"
	echo '{"machine": {"failed": 1}, "results": []}' >"$bad.machine"
	refused "$bad.machine" "the machine's failed is not a list"
	echo '{"machine": {}, "results": [{"work": "pipe"}]}' >"$BATS_TEST_TMPDIR/bad.json"
	run "$BENCH/report" "$BATS_TEST_TMPDIR/bad.json" --out "$BATS_TEST_TMPDIR/report"
	[ "$status" -eq 2 ]
	[[ $output = *"bad.json: result 0 has no proper size"* ]]
}

@test "compare prints the counted results of several kernels side by side, and the requirements not met" {
	cd "$BATS_TEST_TMPDIR"
	python3 - <<-'END'
		import json
		def write(release, took):
		    rows = [{"work": "pipe", "size": size, "impl": impl, "mode": "counted",
		             "metric": "instructions_per_message", "median": n, "min": n, "max": n}
		            for impl, sizes in took.items() for size, n in sizes.items()]
		    json.dump({"machine": {"kernel": release}, "results": rows}, open(release + ".json", "w"))
		write("6.1.0-1-amd64", {"native": {1: 2430, 512: 2800}, "streams": {1: 1800, 512: 2400}})
		write("7.2+deb-amd64", {"native": {1: 2400}, "streams": {1: 1800}, "floor": {1: 1700}})
	END
	run "$BENCH/compare" 6.1.0-1-amd64.json 7.2+deb-amd64.json
	echo "$output"
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "| work | size | 6.1.0-1 | 7.2 |" ]
	[ "${lines[2]}" = "| pipe, one process | 1 B | 2,430 / 1,800 (1.35) | 2,400 / 1,800 (1.33; 1.33) |" ]
	[ "${lines[3]}" = "| pipe, one process | 512 B | 2,800 / 2,400 (1.17) |  |" ]
	[[ $output = *"| pipe, one process, 1-512 B |  | 1.35; 1.20 | 1.17 (512 B) * | 1.33 (1 B) |"* ]]
	[[ $output = *"|  | yes | 1.30 |  | 1.33 (1 B) |"* ]]
	run "$BENCH/compare" none.json
	[ "$status" -eq 2 ]
	[ "$output" = "bench/compare: none.json: No such file or directory" ]
}

@test "a line that is not met is in the report with its floor and how to profile it" {
	cd "$BATS_TEST_TMPDIR"
	python3 - late.json <<-'END'
		import json, sys
		took = {"native": 100, "streams": 125, "floor": 80}
		rows = [{"work": "pipe-rtt", "size": 64, "impl": impl, "mode": "wall", "metric": "latency_p50_us",
		         "median": us, "min": us, "max": us} for impl, us in took.items()]
		json.dump({"machine": {}, "results": rows}, open(sys.argv[1], "w"))
	END
	"$BENCH/report" late.json --out report
	grep -q '^| pipe round trip, latency_p50_us | streams | 1.15 | 0.8 (pipe-rtt, 64 B) | NOT MET (time) |$' report/report.md
	grep -q '^| pipe round trip, wall | latency p50 us | 100 | 125 | 80 | 1.25 | bench/profile --work pipe-rtt --impl streams --size 64 |$' report/report.md
}

@test "the required ratio depends on the kernel, and is judged excluding copying too" {
	cd "$BATS_TEST_TMPDIR"
	python3 - counted.json <<-'END'
		import json, sys
		took = {"native": {1: 2000, 512: 2600}, "streams": {1: 1600, 512: 2100}, "floor": {1: 1000, 512: 1600}}
		rows = [{"work": "pipe", "size": size, "impl": impl, "mode": "counted",
		         "metric": "instructions_per_message", "median": n, "min": n, "max": n}
		        for impl, sizes in took.items() for size, n in sizes.items()]
		json.dump({"machine": {"kernel": "7.2.13"}, "results": rows}, open(sys.argv[1], "w"))
	END
	"$BENCH/report" counted.json --out report
	grep -q '^| pipe, one process, 1-512 B | streams | 1.2 | 1.24 (pipe, 512 B) | met |$' report/report.md
	# 600 of the instructions at 512 B only copy
	grep -q '^| pipe, one process, 1-512 B, excluding copying | streams | 1.3 | 1.25 (pipe, 1 B) | NOT MET |$' report/report.md
	grep -q '^| 512 B | 2,600 | 2,100 (1.24; 1.33) | 1,600' report/report.md
	sed -i 's/7.2.13/6.1.0-56/' counted.json
	"$BENCH/report" counted.json --out report
	grep -q '^| pipe, one process, 1-512 B | streams | 1.35 | 1.24 (pipe, 512 B) | NOT MET |$' report/report.md
}

@test "perftest, udptest and conntest refuse what they cannot do" {
	run "$STRSOCK_BUILD/bench/perftest" --sizes 0
	[ "$status" -eq 2 ]
	[[ $output = *"--sizes needs a number from 1 to 1048576, not '0'"* ]]
	run "$STRSOCK_BUILD/bench/perftest" --transport smoke
	[ "$status" -eq 2 ]
	run "$STRSOCK_BUILD/bench/udptest" --sizes 65508
	[ "$status" -eq 2 ]
	[[ $output = *"carries 65507 bytes at most"* ]]
	run "$STRSOCK_BUILD/bench/conntest" --burst 0
	[ "$status" -eq 2 ]
	[[ $output = *"--burst needs a number from 1 to 1024, not '0'"* ]]
	if ! has_pipe; then
		for program in "perftest --transport fifo" "udptest --transport xti" "conntest --transport xti"; do
			# shellcheck disable=SC2086 # a program and its arguments
			run "$STRSOCK_BUILD/bench"/$program
			echo "$output"
			[ "$status" -eq 3 ]
			[[ $output = *"the kernel module is not loaded"* ]]
		done
	fi
}

# tells PROGRAM OPTION...: one line at least that is a sample
tells() {
	run "$STRSOCK_BUILD/bench/$1" --time 5 --sizes 64 "${@:2}"
	echo "$output"
	[ "$status" -eq 0 ]
	# Memory may be less than none: others on this machine free some too.
	[[ ${lines[0]} =~ ^'{"size": '(0|64)', "metric": "'[a-z_]+'", "value": '-?[0-9.e+-]+'}'$ ]]
}

@test "one process alone prints the figures of every work" {
	for work in turn two rtt many jobs create memory; do
		tells perftest --work $work --pairs 50
	done
	for work in "turn" "turn --burst 16 --transport socket-more" "two --transport socket-more" rtt create; do
		# shellcheck disable=SC2086 # a work and options
		tells conntest --work $work
	done
}

@test "kernel-time prints the time of each work and size, natively and on STREAMS" {
	"$STRSOCK_SRC/tests/vm/uml-kernel" plain >/dev/null || skip "no User Mode Linux"
	run --separate-stderr "$BENCH/kernel-time" --rounds 1
	[ "$status" -eq 0 ]
	[ "$(grep -cE '^\| (pipe|udp|udp6|tcp) \| [0-9,]+ \| [1-9][0-9,]* \| [1-9][0-9,]* \|' <<<"$output")" -eq 24 ]
	run "$BENCH/kernel-time" --rounds none
	[ "$status" -eq 2 ]
	[[ $output == *"'none' is not a number from 1 to 100000"* ]]
}
