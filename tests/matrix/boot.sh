# boot.sh - boot Linux in Bochs, on a CPU that need not exist here; sourced
# after common.sh.
# shellcheck shell=sh disable=SC2154  # cache and work are common.sh's
# SPDX-License-Identifier: BSD-3-Clause

bochs_share=/usr/share/bochs
isolinux=/usr/lib/ISOLINUX/isolinux.bin
ldlinux=/usr/lib/syslinux/modules/bios/ldlinux.c32

# What Debian 12's Linux 6.1 needs to be told in Bochs 2.7:
#   XSAVE   Bochs reports a wrong size for its compacted form, and none for
#           PKRU; Linux would then give up XSAVE, and AVX with it
#   fsrm    Bochs's MISC_ENABLE lacks the fast-string bit, so Linux drops
#           ERMS; its memmove hangs with FSRM and without ERMS
# Programs see all bits of CPUID all the same. The rest saves time.
boot_without=xsavec,xsaves,pku,fsrm
boot_arguments="initrd=/initrd console=ttyS0,115200 quiet loglevel=3 panic=-1
	noxsaves mitigations=off nokaslr nopti no_timer_check tsc=reliable
	random.trust_cpu=on cryptomgr.notests audit=0 apparmor=0
	initcall_blacklist=load_system_certificate_list,init_hw_perf_events"

# need_bochs: skips the part unless all is there to boot; sets $linux
need_bochs()
{
	need_command bochs bochs
	need_file "$bochs_share/BIOS-bochs-latest" bochsbios
	need_file "$bochs_share/VGABIOS-lgpl-latest" vgabios
	need_file "$isolinux" isolinux
	need_file "$ldlinux" syslinux-common
	need_command xorriso xorriso
	need_command cpio cpio
	need_command busybox busybox-static
	need_command dpkg-deb dpkg
	linux=$(find "$cache/linux" -name 'vmlinuz-*' 2>/dev/null | sort | tail -1)
	[ -n "$linux" ] || get_linux ||
		skip "no Linux to boot: cannot fetch linux-image-cloud-amd64"
}

# get_linux: Debian's smallest kernel with all that Bochs has, not installed
get_linux()
{
	package=$(apt-cache depends linux-image-cloud-amd64 2>/dev/null |
		sed -n 's/.*Depends: \(linux-image-[^ ]*\)$/\1/p' | head -n 1)
	[ -n "$package" ] || return 1
	mkdir -p "$work/linux" "$cache/linux" || return 1
	(cd "$work/linux" &&
		apt-get -qq -o APT::Sandbox::User=root download "$package" &&
		dpkg-deb --fsys-tarfile ./*.deb |
			tar -x -f - --wildcards './boot/vmlinuz-*') \
		>"$work/linux.log" 2>&1 || return 1
	mv "$work"/linux/boot/vmlinuz-* "$cache/linux/" || return 1
	linux=$(find "$cache/linux" -name 'vmlinuz-*' | sort | tail -1)
}

# boot ROOT NAME MODEL WITHOUT: boots the tree ROOT, whose /init tests and then
# turns the machine off, on Bochs's MODEL, while Linux does not enable the
# features WITHOUT ("-": all). What the machine said is then in
# $work/NAME/console.
boot()
{
	dir=$work/$2
	without=$boot_without
	[ "$4" = - ] || without=$boot_without,$4
	mkdir -p "$dir/iso" || return 1
	(cd "$1" && find . -print0 | cpio --null -o -H newc --quiet) \
		>"$dir/iso/initrd" || return 1
	cp "$linux" "$dir/iso/vmlinuz" &&
		cp "$isolinux" "$ldlinux" "$dir/iso/" || return 1
	# shellcheck disable=SC2086,SC2116  # one line of words
	printf '%s\n' 'default l' 'prompt 0' 'timeout 0' 'label l' \
		' kernel /vmlinuz' \
		" append $(echo $boot_arguments clearcpuid=$without)" \
		>"$dir/iso/isolinux.cfg"
	xorriso -as mkisofs -quiet -o "$dir/cd.iso" -b isolinux.bin \
		-c boot.cat -no-emul-boot -boot-load-size 4 -boot-info-table \
		"$dir/iso" >"$dir/xorriso.log" 2>&1 || return 1
	bochs_configuration "$dir" "$3" >"$dir/bochsrc"
	# Debian's Bochs has its debugger: "c" lets the machine run.
	echo c >"$dir/commands"
	: >"$dir/serial"
	# Half a minute of CPU time is usual; a machine that hangs takes all.
	(cd "$dir" && ulimit -t 240 && TERM=xterm exec bochs -q -f bochsrc \
		-rc commands </dev/null >bochs.out 2>&1)
	tr -d '\r' <"$dir/serial" >"$dir/console"
}

# bochs_configuration DIR MODEL
bochs_configuration()
{
	cat <<-END
	megs: 256
	romimage: file=$bochs_share/BIOS-bochs-latest
	vgaromimage: file=$bochs_share/VGABIOS-lgpl-latest
	cpu: model=$2, count=1, ips=100000000, reset_on_triple_fault=0
	clock: sync=none
	ata0: enabled=1, ioaddr1=0x1f0, ioaddr2=0x3f0, irq=14
	ata0-master: type=cdrom, path=$1/cd.iso, status=inserted
	ata1: enabled=0
	boot: cdrom
	com1: enabled=1, mode=file, dev=$1/serial
	display_library: rfb, options="timeout=0"
	log: $1/bochs.log
	panic: action=fatal
	error: action=report
	info: action=report
	sound: driver=dummy
	speaker: enabled=0
	END
}
