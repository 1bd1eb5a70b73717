# shellcheck shell=bash source=tests/lib.sh disable=SC2154 # set by lib.sh
# build.sh - build the library anew, in a temporary folder, with other
# compilers and flags; to be sourced after lib.sh.
#
# The makefile does it, so that nothing is said twice: a tree is configured
# once for each compiler and set of options, copied, and made with the flags.
# SPDX-License-Identifier: BSD-3-Clause

need make

# source_tree: prints a source tree that can be configured in another folder
source_tree()
{
	if test ! -f "$top_srcdir/config.status"; then
		echo "$top_srcdir"
		return
	fi
	# Without a history there is no ChangeLog to make, the last step.
	test -d "$temporary/source" || "$MAKE" -s -C "$top_builddir" distdir \
		distdir="$temporary/source" >&2 ||
		echo "this folder cannot be released; tested anyway" >&2
	echo "$temporary/source"
}

# configure_tree NAME COMPILER [OPTION...]
configure_tree()
{
	local name=$1 compiler=$2 source

	shift 2
	source=$(source_tree)
	mkdir "$temporary/$name" || return
	(cd "$temporary/$name" && "$source/configure" -q CC="$compiler" \
		CFLAGS= --disable-tools --cache-file="../$compiler.cache" \
		"$@" >configure.out 2>&1) && return
	cat "$temporary/$name/configure.out"
	fail "cannot configure for $compiler $*"
	return 1
}

# make_copy TREE COPY TARGET [VARIABLE=VALUE...]: the messages of the tools are
# in COPY.out
make_copy()
{
	local tree=$1 copy=$2

	shift 2
	cp -R "$temporary/$tree" "$temporary/$copy" || return
	"$MAKE" -s -j2 -C "$temporary/$copy" "$@" >"$temporary/$copy.out" 2>&1 &&
		return
	cat "$temporary/$copy.out"
	fail "cannot build $copy: $*"
	return 1
}
