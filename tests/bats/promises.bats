#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=host
#
# The promises that the documents make about safety and limits each have a test:
# promises.tsv.

load common

setup() {
	needs python3 mandoc
	cd "$STRSOCK_SRC"
}

# promises CHECK: one of those below; prints what is wrong, and fails then
promises() {
	run -0 python3 - "$1" "${2:-tests/bats/promises.tsv}" <<-'END'
		import re, subprocess, sys

		def plain(text):
		    return re.sub(r"\s+", " ", text).replace("`", "").replace("*", "")

		def manual(name, section):
		    text = subprocess.run(["mandoc", "-T", "utf8", f"man/man{section}/{name}.{section}"],
		                          check=True, capture_output=True, encoding="utf-8").stdout
		    # Bold and underlined letters are struck twice.
		    return plain(re.sub(".\b", "", text))

		def page(name):
		    found = re.fullmatch(r"(\w+)\((\d)\)", name)
		    return manual(*found.groups()) if found else plain(open(name).read())

		# The list items of a section of Markdown
		def items(path, heading):
		    section = open(path).read().split(f"\n## {heading}\n")[1].split("\n## ")[0]
		    return [plain(item) for item in re.findall(r"^- (.*(?:\n  .*)*)", section, re.M)]

		def limits():
		    table = open("man/man7/strlimits.7").read().split(".Bl -column")[1].split(".El")[0]
		    return re.findall(r'^\.It "([^"]*)"', table, re.M)

		listed = [line.rstrip("\n").split("\t") for line in open(sys.argv[2])
		          if line.strip() and line[0] != "#"]
		wrong = [f"not four fields: {line}" for line in listed if len(line) != 4]
		listed = [line for line in listed if len(line) == 4]
		if sys.argv[1] == "stand":
		    text = {name: page(name) for name in {line[0] for line in listed}}
		    wrong += [f"{name} does not say: {words}" for name, words, _, _ in listed
		              if plain(words) not in text[name]]
		elif sys.argv[1] == "tested":
		    for name, words, file, title in listed:
		        if file == "-":
		            continue
		        tests = re.findall(r'^@test "(.*)" \{$', open(f"tests/bats/{file}.bats").read(), re.M)
		        if not any(test.startswith(title) for test in tests):
		            wrong.append(f"{name}, {words}: no test of {file}.bats begins with: {title}")
		else:
		    # A limit is named as in the table, and others by some of their words.
		    def said(path, text):
		        return any(path == name and
		                   (words == text if path == "strlimits(7)" else plain(words) in text)
		                   for name, words, _, _ in listed)
		    sets = (("SECURITY.md", items("SECURITY.md", "Promises")),
		            ("kmod/README.md",
		             items("kmod/README.md", "Rules that protect the machine from its users")),
		            ("strlimits(7)", limits()))
		    wrong += [f"{path}: few promises were found" for path, texts in sets if len(texts) < 5]
		    wrong += [f"{path}: no line for: {text}" for path, texts in sets for text in texts
		              if not said(path, text)]
		print("\n".join(wrong), end="")
	END
	echo "$output"
	[ -z "$output" ]
}

@test "each promise stands in its page" {
	promises stand
}

@test "each promise has a test of that title" {
	promises tested
}

@test "each promise of SECURITY.md, limit of strlimits(7) and rule of kmod/README.md is listed" {
	promises listed
}

@test "a promise that has gone, a test that has gone and a promise that is not listed are noticed" {
	local list=$BATS_TEST_TMPDIR/list
	printf '%s\t%s\t%s\t%s\n' SECURITY.md "never rains" exit "a process that is killed" >"$list"
	run ! promises stand "$list"
	[[ $output == *"SECURITY.md does not say: never rains"* ]]
	printf '%s\t%s\t%s\t%s\n' SECURITY.md "hostile" exit "a process that dances" >"$list"
	run ! promises tested "$list"
	[[ $output == *"no test of exit.bats begins with: a process that dances"* ]]
	run ! promises listed "$list"
	[[ $output == *"strlimits(7): no line for: pushed modules"* ]]
	[[ $output == *"kmod/README.md: no line for: "*"shared workqueue"* ]]
}
