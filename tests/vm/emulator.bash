# SPDX-License-Identifier: GPL-2.0-only
#
# The emulated machine: QEMU with a stock or the debug kernel. Sourced by run.
# shellcheck shell=bash disable=SC2154

emulator_prepare() {
	local k
	need qemu-system-x86_64
	[ "$debug" = 0 ] || kernel=debug
	smp=${smp:-$((2 - icount))}
	mapfile -t k < <("$VM_DIR/kernel" "$kernel")
	[ ${#k[@]} -eq 4 ] || exit 125
	release=${k[0]} image=${k[1]} kernel_modules=${k[2]} headers=${k[3]}
	initrd=$("$VM_DIR/initrd" "$release" "$kernel_modules" \
		virtio_pci virtio_console 9pnet_virtio 9p overlay) || exit 125
}

# The guest finds its ports by their names.
emulator_ports() {
	printf 'console=/dev/hvc0\n'
}

# Is there a KVM that works? One that opens may still hang every guest.
kvm_works() {
	[ -r /dev/kvm ] && [ -w /dev/kvm ] && trial kvm \
		timeout -k 1 10 qemu-system-x86_64 -nodefaults -no-user-config \
		-display none -accel kvm -cpu host -m 512 -no-reboot \
		-kernel "$image" -initrd "$initrd" -append "quiet panic=-1 vm.off=1"
}

emulator_run() {
	# With five levels of page tables KASAN takes addresses for wild while the kernel
	# looks at what processor it has; an interrupt then ends the run for nothing.
	local cpu=max,la57=off
	local accel=(-accel tcg,thread=multi -cpu "$cpu") qemu
	if [ "$icount" = 1 ]; then
		accel=(-accel tcg,thread=single -icount "shift=0,sleep=off" -cpu "$cpu")
	elif kvm_works; then
		accel=(-accel kvm -cpu host)
	fi
	# QEMU translates code once for each address at which it runs: with addresses of
	# programs at random again for each program started, which took half of the time of
	# tests. It steps through a string instruction byte by byte: the kernel clears and
	# copies pages without those.
	append="norandmaps clearcpuid=erms,rep_good,fsrm $append"

	# Interrupts are routed without ACPI: the interpreter of its tables takes half a
	# minute over them under KASAN, and virtio has its own kind of interrupts. That
	# the timer ticks is taken for granted: on a busy host the kernel would look for
	# that too briefly, and panic.
	qemu=(qemu-system-x86_64 -nodefaults -no-user-config -display none -no-reboot
		"${accel[@]}" -smp "$smp" -m "$memory"
		-kernel "$image" -initrd "$initrd"
		-append "console=ttyS0 loglevel=5 log_buf_len=4M panic=-1 acpi=noirq no_timer_check random.trust_cpu=on watchdog_thresh=30 rcupdate.rcu_cpu_stall_timeout=60 vm.job=$job $append"
		-serial "file:$job/console"
		-fsdev "local,id=host,path=/,security_model=none,readonly=on,multidevs=remap"
		-device "virtio-9p-pci,fsdev=host,mount_tag=host"
		-object rng-random,id=rng,filename=/dev/urandom -device virtio-rng-pci,rng=rng
		-device "virtio-serial-pci,max_ports=16")
	emulator_port status "$job/status"
	emulator_port klog "$job/dmesg"
	emulator_port leaks "$job/leaks"
	if [ "$tty" = 1 ]; then
		qemu+=(-chardev "stdio,id=tty,signal=off" -device "virtconsole,chardev=tty")
	else
		emulator_port out "$job/out"
		emulator_port err "$job/err"
		qemu+=(-chardev "pipe,id=in,path=$job/in"
			-device "virtserialport,chardev=in,name=strsock.in")
	fi
	exec "${limited[@]}" "${qemu[@]}"
}

# emulator_port NAME FILE: writes of the machine to the port are in FILE.
emulator_port() {
	qemu+=(-chardev "file,id=$1,path=$2"
		-device "virtserialport,chardev=$1,name=strsock.$1")
}
