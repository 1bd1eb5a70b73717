# suite.sh - fetch another Debian suite's C library; sourced after common.sh.
# shellcheck shell=sh disable=SC2154  # cache, work and here are common.sh's
# SPDX-License-Identifier: BSD-3-Clause

# mirror: where this machine's own apt gets Debian from
mirror()
{
	# shellcheck disable=SC2016  # apt's own variable
	apt-get indextargets --format '$(SITE)' 'Created-By: Packages' |
		grep -E '/debian/?$' | head -n 1
}

# make_apt SUITE DIR: an apt with a state of its own, for this suite alone
make_apt()
{
	keyring=/usr/share/keyrings/debian-archive-keyring.gpg
	site=$(mirror)
	[ -n "$site" ] || return 1
	mkdir -p "$2/lists/partial" "$2/cache/archives/partial" "$2/debs" ||
		return 1
	: >"$2/status"
	for suite in sid "$1"; do
		[ "$suite" = "$1" ] || [ "$1" = experimental ] || continue
		echo "deb [signed-by=$keyring] $site $suite main"
	done >"$2/sources.list"
	cat >"$2/apt.conf" <<-END
	Dir::Etc::SourceList "$2/sources.list";
	Dir::Etc::SourceParts "-";
	Dir::State "$2";
	Dir::State::Status "$2/status";
	Dir::Cache "$2/cache";
	APT::Sandbox::User "root";
	APT::Architectures "amd64";
	Acquire::Languages "none";
	Acquire::Check-Valid-Until "false";
	END
	APT_CONFIG=$2/apt.conf apt-get -qq update
}

# unpack_suite DIR: what programs need of the packages in DIR/debs, in DIR/new
unpack_suite()
{
	mkdir "$1/tree" "$1/new" "$1/new/lib" || return 1
	for deb in "$1"/debs/*.deb; do
		dpkg-deb -x "$deb" "$1/tree" || return 1
	done
	find "$1/tree" -path '*/x86_64-linux-gnu/lib*.so*' \
		-not -path '*/gconv/*' -not -path '*/audit/*' \
		-exec cp -a -t "$1/new/lib" {} + || return 1
	find "$1/tree" -type f \( -name 'ld-2*.so' -o \
		-name 'ld-linux-x86-64.so.2' \) -exec cp {} "$1/new/ld.so" \;
	cp "$1/new/ld.so" "$1/new/lib/ld-linux-x86-64.so.2" &&
		cp "$1/tree/usr/bin/ninja" "$1/new/"
}

# get_suite SUITE: its ld.so, its lib/ with the C and C++ libraries and a C++
# program, ninja, into $cache/glibc/SUITE, unless they are there
get_suite()
{
	[ ! -e "$cache/glibc/$1/ninja" ] || return 0
	dir=$work/suite-$1
	make_apt "$1" "$dir" >"$work/apt.log" 2>&1 || return 1
	# experimental has few packages: what it lacks comes from sid
	(cd "$dir/debs" && export APT_CONFIG="$dir/apt.conf" &&
		apt-get -qq download "libc6/$1" libgcc-s1 libstdc++6 \
			ninja-build) >>"$work/apt.log" 2>&1 || return 1
	unpack_suite "$dir" >>"$work/apt.log" 2>&1 || return 1
	mkdir -p "$cache/glibc" && mv "$dir/new" "$cache/glibc/$1" &&
		rm -rf "$dir"
}
