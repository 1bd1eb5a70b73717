# shellcheck shell=bash
# debian.sh - a Debian tree for the slow tests, with memroute installed.
# Sourced by check-system.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154 # work: a directory of check-system
# shellcheck disable=SC2016 # for the shells in the tree, and for apt

# Init and logins; the languages; what memroute is linked with.
packages=systemd,systemd-sysv,udev,dbus,perl,python3-minimal,sudo,passwd,login
packages=$packages,openssh-client,man-db,libstdc++6,busybox-static
packages=$packages,libgsl27,libjansson4,libelf1

# The mirror that this machine itself uses, so that no host is named here.
mirror()
{
	apt-get indextargets --format '$(SITE)' 'Created-By: Packages' |
		grep -E '/debian/?$' | sort | uniq -c | sort -rn |
		awk 'NR == 1 { print $2 }'
}

# debian_tree DIR: with the machine's own settings of apt.
debian_tree()
{
	debootstrap --variant=minbase --include="$packages" bookworm "$1" \
		"$(mirror)" >"$work/debootstrap.log" 2>&1 ||
		{ tail -n 5 "$work/debootstrap.log"; return 1; }
	cp /etc/apt/apt.conf.d/* "$1/etc/apt/apt.conf.d/"
	cp /etc/resolv.conf "$1/etc/resolv.conf"
}

# in_debian DIR COMMAND: with /proc, /dev and nothing of this environment.
in_debian()
{
	unshare -m --pid --fork bash -c 'mount -t proc proc "$1/proc" &&
		mount --rbind /dev "$1/dev" && exec env -i \
		PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
		LC_ALL=C chroot "$1" /bin/sh -c "$2"' bash "$1" "$2" </dev/null 2>&1
}

# What is done in a tree with and without the library, and must come out the
# same: status and output.
commands=(
	'env -i /bin/ls -l /usr/bin'
	'env -i /bin/sh -c "echo $0 $#; ulimit -n; pwd"'
	'dpkg -l; dpkg --audit; dpkg --verify bash; apt-cache policy bash'
	'perl -e "print join q{ }, map { sprintf q{%s=%d}, \$_, -s \$_ } sort
		glob q{/usr/lib/x86_64-linux-gnu/*.so*}"'
	'perl -MDigest::SHA -e "print Digest::SHA->new(256)->addfile(
		q{/usr/bin/perl})->hexdigest"'
	'python3 -c "import sys, zlib; d = open(sys.executable, \"rb\").read()
print(len(zlib.compress(d)), zlib.crc32(d), sorted(sys.builtin_module_names))"'
	'useradd -m someone && echo someone:Secret-1 | chpasswd &&
		passwd -S someone && id someone'
	'printf "Secret-1\nBetter-22-x\nBetter-22-x\n" |
		su someone -c passwd; echo $?'
	'su someone -c "id; cd; pwd; echo \$HOME \$LD_PRELOAD"'
	'echo "someone ALL=(ALL) NOPASSWD: ALL" >/etc/sudoers.d/someone &&
		su someone -c "sudo -n id && sudo -n -u nobody id"'
	'su nobody -s /bin/sh -c "sudo -n id"'
	'ssh-keygen -q -t ed25519 -N "" -C c -f /root/k && ssh-keygen -y -f \
		/root/k | cut -c1-30; ssh-keygen -q -t rsa -N "" -f /root/r;
		ls /root/k* /root/r*'
	'MANPAGER=cat man man | head -n 40; man -w nosuchpage'
	'tar cf - /usr/bin | gzip -1 | gunzip | tar tvf - | md5sum'
	'find / -xdev -type f -name "*.sh" | sort | xargs cat | sort | md5sum'
	'cat /nowhere; ls /nowhere; false; echo $?'
	'systemctl --version; systemd-analyze verify dbus.service'
	'ldconfig -p | wc -l; ldd /bin/ls | sed "s/(0x.*//" |
		grep -v libmemroute'
)

# What may differ by itself: process numbers, and no line of ld.so does.
normalised()
{
	sed -E 's/\b(pid|PID) [0-9]+/pid N/g'
}

# compare PLAIN PRELOADED: each command in both trees.
compare()
{
	local command

	for command in "${commands[@]}"; do
		in_debian "$1" "$command" >"$work/plain.out"
		echo "status $?" >>"$work/plain.out"
		in_debian "$2" "$command" >"$work/preloaded.out"
		echo "status $?" >>"$work/preloaded.out"
		if diff <(normalised <"$work/plain.out") \
			<(normalised <"$work/preloaded.out") >"$work/diff"; then
			pass "${command%%$'\n'*}"
		else
			fail "${command%%$'\n'*}"
			head -n 8 "$work/diff"
		fi
	done
}

# Packages with programs of many kinds, installed by a preloaded apt and dpkg;
# then a compiler, preloaded, builds a program that runs preloaded.
install_and_build()
{
	local log=$work/apt.log

	if in_debian "$1" 'apt-get -q update && apt-get -q install -y \
		--no-install-recommends gcc libc6-dev groff cron && dpkg --audit
		' >"$log"; then
		pass "apt-get install"
	else
		fail "apt-get install: $(tail -n 3 "$log")"
	fi
	grep -nE 'ld\.so:|memroute|dumped|Segmentation|Bus error' "$log" &&
		fail "apt-get install: these lines"
	cat >"$1/root/p.c" <<-'END'
		#include <stdio.h>
		#include <string.h>
		int main(int argc, char **argv)
		{
			char copy[4000];

			memset(copy, 0, sizeof(copy));
			memcpy(copy, argv[0], strlen(argv[0]) + (size_t)argc);
			return puts(copy) < 0;
		}
	END
	if [ "$(in_debian "$1" 'cd /root && gcc -O2 -Wall -o p p.c && ./p')" \
		= ./p ]; then
		pass "gcc builds a program"
	else
		fail "gcc builds a program"
	fi
}
