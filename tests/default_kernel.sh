#!/bin/bash
# default_kernel.sh - routing to libc, by the variable and by the build.
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

# kernel LIBRARY ITEMS: the kernel that a program under it reports.
kernel()
{
	LD_PRELOAD=$1 MEMROUTE=$2 /bin/true 2>&1 |
		sed -n 's/^memroute: kernel=//p'
}

# The library as it was built for these tests obeys the variable.
expect 'MEMROUTE=libc' "$(kernel "$LIBRARY" libc,verbose)" libc
check 'MEMROUTE=auto chooses a kernel' \
	test "$(kernel "$LIBRARY" auto,verbose)" != libc

test -e "$top_srcdir/config.status" &&
	skip "the source tree is configured itself, no second build is possible"
cd "$temporary" || exit 99
# Not the flags of this build: it may be for another libc or a sanitizer.
if ! env -u CFLAGS "$top_srcdir/configure" --disable-tools CC="$CC" \
	--with-default-kernel=libc >configure.log 2>&1; then
	tail -5 configure.log
	skip "a second build cannot be configured"
fi
"$MAKE" libmemroute.la >make.log 2>&1 || tail -5 make.log
library=$temporary/.libs/libmemroute.so
check 'a build with --with-default-kernel=libc' test -e "$library"
expect 'that build without the variable' "$(kernel "$library" verbose)" libc
check 'that build with MEMROUTE=auto' \
	test "$(kernel "$library" auto,verbose)" != libc
expect 'that build with MEMROUTE=sse2' "$(kernel "$library" sse2,verbose)" sse2

# A kernel that this machine lacks, if there is one.
lacking=$(MEMROUTE=avx512 LD_PRELOAD=$LIBRARY /bin/true 2>&1)
if test -n "$lacking"; then
	said=$(MEMROUTE=avx512,verbose LD_PRELOAD=$library /bin/true 2>&1)
	check 'that build complains of what the variable asks in vain' \
		grep -q "MEMROUTE: 'avx512' ignored" <<<"$said"
	check 'and falls back to its own default' \
		grep -qx 'memroute: kernel=libc' <<<"$said"
	env -u CFLAGS "$top_srcdir/configure" --disable-tools CC="$CC" \
		--with-default-kernel=avx512 >configure.log 2>&1
	"$MAKE" libmemroute.la >make.log 2>&1 || tail -5 make.log
	expect 'a default that cannot be had, with nobody asking' \
		"$(LD_PRELOAD=$library /bin/true 2>&1)" ''
	check 'which leaves the choice to the policy' \
		test -n "$(kernel "$library" verbose)"
else
	omit 'a default that cannot be had' 'this machine has every kernel'
fi

"$top_srcdir/configure" --disable-tools --with-default-kernel=nosuch \
	>configure.log 2>errors
expect 'status of configure for an unknown kernel' $? 1
check 'configure names what is allowed' grep -q 'allowed are auto libc' errors

finish
