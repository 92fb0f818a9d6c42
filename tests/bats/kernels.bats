#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=host
#
# tests/vm/kernel: which kernel of the cache a name stands for, and the files it
# finds in Debian's packages, whole or split.

bats_require_minimum_version 1.5.0

KERNEL=$BATS_TEST_DIRNAME/../vm/kernel

setup() {
	export STRSOCK_CACHE=$BATS_TEST_TMPDIR/cache
	cd "$BATS_TEST_TMPDIR"
}

# cached RELEASE: a kernel with its packages unpacked, its headers too
cached() {
	local dir=$STRSOCK_CACHE/kernels/$1
	mkdir -p "$dir/boot" "$dir/lib/modules/$1"
	echo "kernel $1" >"$dir/boot/vmlinuz-$1"
	touch "$dir/boot/config-$1" "$dir/complete" "$dir/headers"
}

@test "a series stands for its newest kernel in the cache, of the plain flavour" {
	cached 9.9.9-1-amd64
	cached 9.9.10-2-amd64
	cached 9.9.8+deb99.1-amd64
	cached 9.9.11-1-rt-amd64
	cached 9.90.1-1-amd64
	cached 9.9.12-1-amd64
	# Its packages have not all been unpacked.
	rm "$STRSOCK_CACHE/kernels/9.9.12-1-amd64/complete"
	run -0 "$KERNEL" 9.9
	[ "${#lines[@]}" -eq 4 ]
	[ "${lines[0]}" = 9.9.10-2-amd64 ]
	[ "$(cat "${lines[1]}")" = "kernel 9.9.10-2-amd64" ]
	[ -d "${lines[2]}" ]
	[ "${lines[3]}" = "$STRSOCK_CACHE/kernels/9.9.10-2-amd64/usr/src/linux-headers-9.9.10-2-amd64" ]
}

@test "a release is that one, wherever its packages put the image" {
	local rel=9.9.10+deb99-amd64
	cached "$rel"
	cached 9.9.11-1-amd64
	cd "$STRSOCK_CACHE/kernels/$rel"
	mkdir -p usr/lib
	mv lib/modules usr/lib
	mv "boot/vmlinuz-$rel" "usr/lib/modules/$rel/vmlinuz"
	mv "boot/config-$rel" "usr/lib/modules/$rel/config"
	rmdir lib boot
	run -0 "$KERNEL" "$rel"
	[ "${lines[0]}" = "$rel" ]
	[ "${lines[1]}" = "$PWD/usr/lib/modules/$rel/vmlinuz" ]
	[ "${lines[2]}" = "$PWD/usr/lib/modules/$rel" ]
}

@test "an image is unpacked where QEMU can start that, be it compressed by xz or zstd" {
	local rel=9.9.1-1-amd64 dir compress
	for compress in "xz --check=crc32" zstd; do
		rm -rf "$STRSOCK_CACHE"
		cached "$rel"
		dir=$STRSOCK_CACHE/kernels/$rel
		echo CONFIG_PVH=y >"$dir/boot/config-$rel"
		# The setup code before the kernel, and the image behind it
		{
			printf 'MZ \050\265\057\375 '
			$compress -c <"$BASH"
			printf 'the end'
		} >"$dir/boot/vmlinuz-$rel"
		run -0 "$KERNEL" "$rel"
		[ "${lines[1]}" != "$dir/boot/vmlinuz-$rel" ]
		cmp "${lines[1]}" "$BASH"
	done
}

@test "a name of no kernel is reported" {
	for name in 6 6.x six 6.1. ''; do
		run -125 "$KERNEL" "$name"
		[[ $output = "kernel: no kernel '$name'; a series (6.12), or a release"* ]]
	done
}

@test "a busybox that is not static is left alone: Debian's static one is unpacked into the cache" {
	command -v apt-get >/dev/null || skip "needs apt-get"
	unset STRSOCK_CACHE
	mkdir bin
	cp "$(command -v ls)" bin/busybox
	PATH=$PWD/bin:$PATH run -0 --separate-stderr "$BATS_TEST_DIRNAME/../vm/busybox"
	[[ $output == */kernels/busybox/*bin/busybox ]]
	[ "$("$output" echo works)" = works ]
	run ! ldd "$output"
}
