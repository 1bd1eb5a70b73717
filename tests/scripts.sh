#!/bin/bash
# scripts.sh - scripts/quickstart and scripts/check on other systems, with
# other packages and other outcomes: a tree of their own, in which apt-get,
# make and the like only write down that they were called.
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

# shellcheck disable=SC2154 # lib.sh's
tree=$temporary/tree tools=$temporary/tools calls=$temporary/calls
export calls tree
unset MEMROUTE_BUILD MEMROUTE_OS_RELEASE	# of CI, or of the user
mkdir -p "$tree/scripts" "$tools"
cp "$top_srcdir/scripts/check" "$top_srcdir/scripts/lib.sh" "$tree/scripts"
touch "$tree/configure.ac"

# tool NAME: a command of that name from standard input.
tool()
{
	{
		echo '#!/bin/bash'
		# shellcheck disable=SC2016 # for the tool
		echo 'echo "${0##*/} $*" >>"$calls"'
		cat
	} >"$tools/$1"
	chmod +x "$tools/$1"
}

# $absent, with blanks around each name, is what is not installed.
tool dpkg-query <<'END'
[[ $absent == *" ${!#} "* ]] && exit 1
printf installed
END
tool apt-get <<'END'
exit "${apt_status:-0}"
END
tool sudo <<'END'
exec "$@"
END
tool id <<'END'
echo "${user:-0}"
END
tool autoreconf <<'END'
printf '#!/bin/bash\necho "configure $*" >>"$calls"; touch Makefile\n
	echo "echo config.status >>$calls" >config.status
	chmod +x config.status\n' >configure
chmod +x configure
touch Makefile.in
END
# $outcome is what make check leaves in test-suite.log.
tool make <<'END'
[[ " $* " == *" check "* ]] || exit 0
[[ $outcome ]] && printf "$outcome" >"$tree/build/test-suite.log"
exit "${make_status:-0}"
END

# system ID VERSION: the system that the next runs believe in.
system()
{
	printf 'PRETTY_NAME="A (very) fine system"\nID=%s\nVERSION_ID="%s"\n' \
		"$1" "$2" >"$temporary/os-release"
}

# check: runs it, with its output in $said, its status in $status.
check()
{
	: >"$calls"
	said=$(PATH=$tools:$PATH MEMROUTE_OS_RELEASE=$temporary/os-release \
		"$tree/scripts/check" 2>&1)
	status=$?
}

called()
{
	grep -c "^$1" "$calls"
}

test_systems()
{
	local name

	absent=' libgsl-dev '
	for name in debian:12 ubuntu:22.04 ubuntu:24.04; do
		system "${name%:*}" "${name#*:}"
		check
		expect "$name: packages that are installed" \
			"$(sed -n 's/.* install -y --no-install-recommends//p' \
				"$calls")" " libgsl-dev"
		expect "$name: it says which" "$(grep -c \
			'^check: installing with apt-get: libgsl-dev$' \
			<<<"$said")" 1
	done
	rm -rf "$tree/build"
	for name in debian:13 debian:11 ubuntu:20.04 fedora:40 alpine:3.20 :; do
		system "${name%:*}" "${name#*:}"
		check
		expect "$name: status" "$status" 1
		expect "$name: calls" "$(cat "$calls")" ""
		expect "$name: lines" "$(wc -l <<<"$said")" 1
		expect "$name: names the packages" "$(grep -c \
			'these packages have there:.* libgsl-dev .* check ' \
			<<<"$said")" 1
	done
	rm "$temporary/os-release"
	check
	expect "no os-release: status" "$status" 1
	system debian 12
}

test_root()
{
	absent=' libgsl-dev '
	user=0 check
	expect "root: calls of sudo" "$(called sudo)" 0
	export user=1000
	check
	expect "user: apt-get through sudo" "$(called 'sudo env .*apt-get')" 2
	mv "$tools/sudo" "$temporary/sudo"
	if PATH=$tools:$PATH command -v sudo >/dev/null; then
		omit "neither root nor sudo" "the machine's own sudo is there"
	else
		check
		expect "no sudo: status" "$status" 1
		expect "no sudo: calls of apt-get" "$(called apt-get)" 0
	fi
	mv "$temporary/sudo" "$tools/sudo"
	unset user
	apt_status=100 check
	expect "apt-get fails: status" "$status" 1
	expect "apt-get fails: calls of make" "$(called make)" 0
}

# What was done is not done again, but for what new packages change.
test_twice()
{
	rm -rf "$tree/build" "$tree/configure" "$tree/Makefile.in"
	absent=
	check
	expect "first: autoreconf" "$(called autoreconf)" 1
	expect "first: configure" "$(called configure)" 1
	check
	expect "again: autoreconf" "$(called autoreconf)" 0
	expect "again: configure" "$(called config)" 0
	expect "again: apt-get" "$(called apt-get)" 0
	absent=' check '
	check
	expect "new packages: configure again" "$(called config.status)" 2
	absent=
	check
	expect "and only once" "$(called config)" 0
	rm "$tree/Makefile.in"	# an autoreconf that was interrupted
	check
	expect "half made: autoreconf" "$(called autoreconf)" 1
}

# outcome WANTED-STATUS WANTED-LINE
outcome()
{
	check
	expect "status of '$2'" "$status" "$1"
	expect "last line" "$(tail -n 1 <<<"$said")" "$2"
}

test_totals()
{
	local all='# TOTAL: 9\n# PASS:  %s\n# SKIP:  %s\n# XFAIL: %s\n'
	all="$all# FAIL:  %s\n# XPASS: %s\n# ERROR: %s\n"

	export outcome make_status=0
	# shellcheck disable=SC2059 # a format
	totals() { outcome=$(printf "$all" "$@"); }
	totals 40 3 2 0 0 0
	outcome 0 "42 passed, 0 failed, 3 skipped"
	make_status=2
	totals 40 3 2 1 2 3
	outcome 1 "42 passed, 6 failed, 3 skipped"
	totals 42 0 0 0 0 0
	outcome 1 "42 passed, 1 failed, 0 skipped"
	outcome=
	outcome 1 "0 passed, 1 failed, 0 skipped"
	make_status=0
	totals 0 0 0 0 0 0
	outcome 1 "0 passed, 1 failed, 0 skipped"
}

test_usage()
{
	local script

	for script in quickstart check; do
		expect "$script --version" \
			"$("$top_srcdir/scripts/$script" --version)" \
			"$(MEMROUTE=verbose LD_PRELOAD=$LIBRARY /bin/true 2>&1 |
				sed -n 's/^memroute: version=/memroute /p')"
		said=$("$top_srcdir/scripts/$script" --fast 2>&1)
		expect "$script --fast: status" $? 2
		expect "$script --fast" "$said" \
			"$script: '--fast': only --help and --version are allowed"
	done
}

export absent apt_status
test_systems
test_root
test_twice
test_totals
test_usage
finish
