# lib.sh - what quickstart, check and .ci/run share; to be sourced by bash.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# shellcheck disable=SC2034	# used by those who read it

set -u
export LC_ALL=C
# What the user's shell has set must not decide a build, a test or a timing.
unset LD_PRELOAD LD_BIND_NOW LD_AUDIT MEMROUTE GLIBC_TUNABLES
unset MAKEFLAGS MAKELEVEL MFLAGS CDPATH

program=${0##*/}
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P) || exit 1
# Two settings for .ci/run and the tests: a build directory below the source
# tree, and another os-release file to believe.
build=${MEMROUTE_BUILD:-build}
os_release=${MEMROUTE_OS_RELEASE:-/etc/os-release}

# Packages of Debian and Ubuntu: the names agree on the systems below.
build_packages="autoconf automake gcc gnuplot-nox libc6-dev libelf-dev
	libgsl-dev libjansson-dev libtool make perl pkg-config zlib1g-dev"

say()
{
	echo "$program: $*"
}

die()
{
	echo "$program: $*" >&2
	exit 1
}

# no_arguments DESCRIPTION [ARGUMENT...]: the commands here take none.
no_arguments()
{
	local description=$1

	shift
	case "$#:${1-}" in
	0:)
		return;;
	1:--help)
		echo "usage: scripts/$program"
		echo "$description"
		exit 0;;
	1:--version)
		sed -n 's/^AC_INIT(\[\([^]]*\)\], \[\([^]]*\)\].*/\1 \2/p' \
			"$top/configure.ac"
		exit 0;;
	esac
	echo "$program: '$1': only --help and --version are allowed" >&2
	exit 2
}

# True on the systems whose package names were tried.
known_system()
(
	ID='' VERSION_ID=''
	# shellcheck disable=SC1090 # the system's own file
	test -r "$os_release" && . "$os_release"
	case $ID:$VERSION_ID in
	debian:12 | ubuntu:22.04 | ubuntu:24.04)
		return 0;;
	esac
	return 1
)

# missing PACKAGE...: those that are not installed, on one line.
missing()
{
	local package status list=

	for package; do
		status=$(dpkg-query -W -f '${db:Status-Status}' "$package" \
			2>/dev/null)
		test "$status" = installed || list="$list $package"
	done
	echo "${list# }"
}

# Runs apt-get without questions, as root.
apt()
{
	local root=

	test "$(id -u)" = 0 || root=sudo
	$root env DEBIAN_FRONTEND=noninteractive apt-get -q \
		-o DPkg::Lock::Timeout=300 "$@" </dev/null
}

# install_packages PACKAGE...: those that are missing. Where the names are not
# known to fit, a build directory that was configured by hand is enough.
install_packages()
{
	local list log=$top/$build/packages.log

	if ! known_system; then
		test -f "$top/$build/Makefile" && return
		die "this is not Debian 12, Ubuntu 22.04 or Ubuntu 24.04;" \
			"please install what these packages have there:" "$@"
	fi
	list=$(missing "$@")
	test -n "$list" || return 0
	test "$(id -u)" = 0 || command -v sudo >/dev/null ||
		die "neither root nor sudo here; please install: $list"
	say "installing with apt-get: $list"
	mkdir -p "$top/$build" || die "cannot write to $top"
	# configure looks for some of them, and may have run without
	touch "$top/$build/packages.new"
	# An old list of packages may do where there is no network.
	apt update >"$log" 2>&1
	# shellcheck disable=SC2086 # a list
	apt install -y --no-install-recommends $list >>"$log" 2>&1 ||
		failed "apt-get failed to install them" "$log"
}

# failed MESSAGE LOG: shows the end of the log and stops.
failed()
{
	tail -n 30 "$2" >&2
	die "$1; all of it is in $2"
}

# step WHAT COMMAND...: one line, and the output only if it fails.
step()
{
	local what=$1 log=$top/$build/build.log

	shift
	say "$what"
	"$@" </dev/null >"$log" 2>&1 || failed "$what failed" "$log"
}

configure_build()
(
	cd "$top/$build" && "$top/configure"
)

# With the options that it was configured with.
configure_again()
(
	cd "$top/$build" && ./config.status --recheck && ./config.status
)

# Brings the build up to date. What is there is not done again: make itself
# knows when configure is out of date. automake writes Makefile.in last.
build_all()
{
	mkdir -p "$top/$build" || die "cannot write to $top"
	cd "$top" || exit 1
	test -f configure -a -f Makefile.in ||
		step "making configure (autoreconf)" autoreconf -i
	if ! test -f "$build/Makefile"; then
		step "configuring in $build/" configure_build
	elif test -f "$build/packages.new"; then
		step "configuring in $build/ again" configure_again
	fi
	rm -f "$build/packages.new"
	step "building in $build/ (make)" \
		make -C "$build" -j "$(nproc)"
}
