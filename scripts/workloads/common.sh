# common.sh - what the A/B workloads share; read by each of them.
#
# A workload sets packages, copies and share, may define generate(), defines
# execute(), and ends with: workload "$@"
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154	# shared with the workload

set -u

name=${0##*/}
data=${MEMROUTE_WORKLOAD_DATA:-${TMPDIR:-/tmp}/memroute-workloads}
python=/usr/bin/python3		# Debian's, which sees Debian's modules

# For programs that copy into fresh memory: without it malloc gives each big
# block back and the time goes into page faults.
keep_memory='MALLOC_MMAP_THRESHOLD_=1073741824 MALLOC_TRIM_THRESHOLD_=4294967296
MALLOC_TOP_PAD_=268435456'

fail()
{
	echo "$name: $1" >&2
	exit "${2:-1}"
}

usage()
{
	cat <<-EOF
	usage: $name prepare | run | about
	  prepare  make the input in $data
	  run      run the program once; this is what is timed
	  about    what it copies, and the share of CPU time that copies are
	EOF
}

# A package is there if dpkg says so: one that is unpacked but not configured
# may still fail.
installed()
{
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

check_packages()
{
	command -v dpkg-query >/dev/null || fail "skipped: not a Debian system" 77
	missing=
	for package in $packages; do
		installed "$package" || missing="$missing $package"
	done
	[ -z "$missing" ] || fail "skipped: missing Debian packages:$missing" 77
}

# The default is a name in /tmp that anyone could have taken before us.
check_data()
{
	if [ ! -d "$data" ] || [ ! -O "$data" ] || [ -L "$data" ]; then
		fail "$data: not a directory of yours; set MEMROUTE_WORKLOAD_DATA"
	fi
}

# make_input FILE COMMAND...: FILE from the command's output, once; it never
# stays behind half written.
make_input()
{
	[ -e "$data/$1" ] && return
	file=$1
	shift
	"$@" >"$data/$file.$$" && mv "$data/$file.$$" "$data/$file" && return
	rm -f "$data/$file.$$"
	fail "cannot make $data/$file"
}

need_input()
{
	[ -e "$data/$1" ] || fail "$data/$1 is missing: run '$name prepare' first"
}

# text WORDS LINES: so many different words of 2 to 11 letters, 3 to 18 in a
# line after a number; always the same.
text()
{
	awk -v words="$1" -v lines="$2" '
	function pick(n) {	# exact in doubles: below 2^53
		seed = seed * 16807 % 2147483647
		return seed % n
	}
	BEGIN {
		seed = 7
		for (i = 0; i < words; i++)
			for (k = pick(10) + 2; k > 0; k--)
				word[i] = word[i] sprintf("%c", 97 + pick(26))
		for (i = 0; i < lines; i++) {
			line = i * 7919 % 1000003
			for (k = pick(16) + 3; k > 0; k--)
				line = line " " word[pick(words)]
			print line
		}
	}'
}

generate() { :; }

workload()
{
	[ $# = 1 ] || { usage >&2; exit 2; }
	case $1 in
	prepare)
		check_packages
		mkdir -p "$data" || exit 1
		check_data
		generate ;;
	run)
		check_packages
		execute ;;
	about)
		echo "$name: $copies; $share" ;;
	--help|-h)
		usage ;;
	*)
		echo "$name: unknown command '$1'; allowed: prepare run about" >&2
		exit 2 ;;
	esac
}
