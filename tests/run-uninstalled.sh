#!/bin/bash
# run-uninstalled.sh - memroute finds its parts in the build tree, where it
# was installed, and below DESTDIR; and says so where it does not.
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

# loads PROGRAM: the library that PROGRAM run puts in front
loads()
{
	# shellcheck disable=SC2016 # for the inner shell
	"$1" run sh -c 'echo "$LD_PRELOAD"'
}

expect "build tree" "$(loads "$top_builddir/memroute")" "$LIBRARY"
ln -s "$top_builddir/memroute" "$temporary/link"
expect "through a link" "$(loads "$temporary/link")" "$LIBRARY"

# Somewhere alone.
mkdir "$temporary/alone" "$temporary/a b"
cp "$top_builddir/memroute" "$temporary/alone"
if test -e "$(make -s -C "$top_builddir" -f - print <<-'END'
	include Makefile
	print: ; @echo $(libdir)/libmemroute.so
	END
)"; then
	omit "alone: a libmemroute.so is installed"
else
	"$temporary/alone/memroute" run true 2>"$temporary/errors"
	expect "alone: run" $? 125
	said "alone: run" "libmemroute.so not found: neither .* nor at /"
	"$temporary/alone/memroute" ab true 2>"$temporary/errors"
	expect "alone: ab" $? 1
	"$temporary/alone/memroute" info >/dev/null 2>"$temporary/errors"
	expect "alone: info" $? 1
	"$temporary/alone/memroute" bench 2>"$temporary/errors"
	expect "alone: bench" $? 1
	said "alone: bench" "memroute-bench not found"
fi

# bench is the program beside this one, with the arguments as they are.
printf '#!/bin/sh\nprintf "%%s|" "$@"\nexit 9\n' \
	>"$temporary/alone/memroute-bench"
chmod +x "$temporary/alone/memroute-bench"
expect "bench: arguments" \
	"$("$temporary/alone/memroute" bench --help "a b" "")" "--help|a b||"
"$temporary/alone/memroute" bench >/dev/null
expect "bench: status" $? 9

# ld.so cannot be told such a path.
mkdir "$temporary/a b/.libs"
cp "$top_builddir/memroute" "$temporary/a b"
cp "$LIBRARY" "$temporary/a b/.libs"
"$temporary/a b/memroute" run true 2>"$temporary/errors"
expect "a path with a space" $? 125
said "a path with a space" "spaces and colons"

# --- what every command has in common ---

"$top_builddir/memroute" >"$temporary/out" 2>"$temporary/errors"
expect "no command" $? 2
said "no command" "allowed: run ab info doctor"
"$top_builddir/memroute" none >"$temporary/out" 2>"$temporary/errors"
expect "unknown command" $? 2
said "unknown command" "'none': no such command; allowed: run ab"
"$top_builddir/memroute" --help >"$temporary/out" 2>"$temporary/errors"
expect "--help" $? 0
check "--help lists" grep -q "^  doctor " "$temporary/out"
expect "--version" "$("$top_builddir/memroute" --version | wc -l)" 1
if test -w /dev/full; then
	"$top_builddir/memroute" --help >/dev/full 2>"$temporary/errors"
	expect "no space for the result" $? 1
	said "no space for the result" "cannot write"
fi
finish
