# shellcheck shell=bash
# boot.sh - boots a Debian tree in an emulated machine. Sourced by
# check-system.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154 # work: a directory of check-system

# What a disk of virtio needs, in this order; ext4 is in the kernel.
modules=(virtio_ring virtio virtio_pci_modern_dev virtio_pci_legacy_dev
	virtio_pci virtio_blk)

# kernel_get DIR: Debian's kernel for virtual machines, unpacked there.
kernel_get()
{
	local name

	name=$(apt-cache depends linux-image-cloud-amd64 |
		awk '/Depends: linux-image-/ { print $2; exit }')
	mkdir -p "$1"
	(cd "$1" && apt-get -o APT::Sandbox::User=root -qq download "$name" &&
		dpkg -x "$name"_*.deb . && rm -f "$name"_*.deb)
}

# initrd_make KERNEL-DIR BUSYBOX FILE: finds the disk and starts its init, as
# an initial RAM disk of Debian does.
initrd_make()
{
	local dir=$work/initrd module

	mkdir -p "$dir"/{bin,dev,proc,root}
	cp "$2" "$dir/bin/busybox"
	for module in "${modules[@]}"; do
		find "$1/lib/modules" -name "$module.ko" -exec cp {} "$dir" \;
	done
	cat >"$dir/init" <<-END
		#!/bin/busybox sh
		/bin/busybox mount -t proc proc /proc
		/bin/busybox mount -t devtmpfs dev /dev
		for m in ${modules[*]}; do
			/bin/busybox insmod /\$m.ko
		done
		/bin/busybox mount -t ext4 /dev/vda /root
		init=/sbin/init
		for w in \$(/bin/busybox cat /proc/cmdline); do
			case \$w in init=*) init=\${w#init=};; esac
		done
		exec /bin/busybox switch_root /root \$init "\$@"
	END
	chmod 755 "$dir/init"
	(cd "$dir" && find . | cpio -o -H newc --quiet) | gzip -1 >"$3"
}

# The unit that reports once everything has started, and ends the machine.
report_install()
{
	cat >"$1/etc/systemd/system/report.service" <<-END
		[Unit]
		Description=Report
		After=multi-user.target
		[Service]
		Type=oneshot
		ExecStart=/bin/sh /root/report.sh
	END
	mkdir -p "$1/etc/systemd/system/multi-user.target.wants"
	ln -sf ../report.service \
		"$1/etc/systemd/system/multi-user.target.wants/report.service"
	cat >"$1/root/report.sh" <<-'END'
		exec >/dev/ttyS1 2>&1
		# The last jobs of the boot.
		n=0
		while [ $n -lt 30 ] && systemctl list-jobs --no-legend |
			grep -v report.service | grep -q .; do
			sleep 1
			n=$((n + 1))
		done
		echo @@units
		systemctl list-units --all --no-legend --plain \
			--type service,target,socket,timer,mount
		echo @@journal
		journalctl -b -q -o short _TRANSPORT=journal + \
			_TRANSPORT=stdout + _TRANSPORT=syslog
		echo @@kernel
		journalctl -b -q -k -o cat
		echo @@memroute
		memroute system status
		memroute doctor 1
		grep -m 1 -o '/.*libmemroute.so.*' /proc/1/maps
		echo @@end
		systemctl --no-block poweroff
	END
	# What differs from boot to boot by itself.
	ln -sf /dev/null "$1/etc/systemd/system/systemd-timesyncd.service"
	ln -sf /dev/null "$1/etc/systemd/system/apt-daily.timer"
	ln -sf /dev/null "$1/etc/systemd/system/apt-daily-upgrade.timer"
	echo memroute-test >"$1/etc/hostname"
	echo uninitialized >"$1/etc/machine-id"
}

# disk_make TREE FILE
disk_make()
{
	rm -f "$2"
	mke2fs -q -t ext4 -d "$1" "$2" 2G
}

# boot NAME SECONDS [WORD...]: the disk $work/NAME.img, with these words for the
# kernel. Leaves NAME.console, and NAME.report from the second serial line.
boot()
{
	local name=$1 seconds=$2 kernel

	shift 2
	kernel=$(echo "$work"/kernel/boot/vmlinuz-*)
	: >"$work/$name.report"
	timeout -k 5 "$seconds" qemu-system-x86_64 -machine accel=tcg \
		-cpu max -m 1024 -display none -no-reboot -nodefaults \
		-serial "file:$work/$name.console" \
		-serial "file:$work/$name.report" \
		-drive "file=$work/$name.img,format=raw,if=virtio,cache=unsafe" \
		-kernel "$kernel" -initrd "$work/initrd.gz" -append \
		"console=ttyS0 panic=-1 audit=0 mitigations=off rw $*" \
		</dev/null >"$work/$name.qemu" 2>&1
}

# section NAME SECTION
section()
{
	tr -d '\r' <"$work/$1.report" | sed -n "/^@@$2\$/,/^@@/ { /^@@/d; p }"
}
