#!/bin/bash
# exports.sh - the library as the loader sees it: its symbols, its segments,
# and what it asks of others.
# SPDX-License-Identifier: BSD-3-Clause

. "$(dirname "$0")/lib.sh"
need readelf

names='__memcpy_chk __memmove_chk __mempcpy __mempcpy_chk'
names="$names __wmemcpy_chk __wmemmove_chk __wmempcpy_chk"
names="$names bcopy memcpy memmove mempcpy wmemcpy wmemmove wmempcpy"

symbols=$(readelf --dyn-syms -W "$LIBRARY" | awk '$1 ~ /^[0-9]+:$/ && NF > 7')
defined=$(echo "$symbols" | awk '$7 != "UND"')
undefined=$(echo "$symbols" | awk '$7 == "UND" { print $8 }')
segments=$(readelf -lW "$LIBRARY")
dynamic=$(readelf -dW "$LIBRARY")

# A version would show as name@@VERSION.
expect "exported symbols" "$(echo "$defined" | awk '{ print $8 }' | sort |
	xargs)" "$names"
expect "types of the exports" "$(echo "$symbols" | awk '$7 != "UND" {
	print $4, $5, $6 }' | sort -u)" "FUNC GLOBAL DEFAULT"
expect "IFUNC symbols" "$(echo "$symbols" | grep -c IFUNC)" 0
expect "version definitions" "$(echo "$dynamic" | grep -c VERDEF)" 0

expect "TLS segments" "$(echo "$segments" | grep -c '^ *TLS ')" 0
expect "GNU_STACK" "$(echo "$segments" | awk '/GNU_STACK/ { print $7 }')" RW
expect "RELRO segments" "$(echo "$segments" | grep -c GNU_RELRO)" 1
expect "writable and executable segments" \
	"$(echo "$segments" | grep -c 'RWE')" 0
expect "text relocations" "$(echo "$dynamic" | grep -c TEXTREL)" 0
expect "binding at load time" \
	"$(echo "$dynamic" | grep -c 'FLAGS).*BIND_NOW')" 1
expect "PLT relocations" "$(echo "$dynamic" | grep -c 'JMPREL')" 0
expect "DT_NEEDED" "$(echo "$dynamic" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
	xargs)" libc.so.6

# Whoever copies for us would be called by itself; whatever is newer than
# glibc 2.17 keeps the library from loading on an old system.
expect "imported copies and checks" "$(echo "$undefined" | sed 's/@.*//' |
	grep -E '^_*w?(mem|str|bcopy|bzero)|_chk$' | xargs)" ""
newest=$(echo "$undefined" | sed -n 's/.*@*GLIBC_\([0-9.]*\)$/\1/p' |
	sort -V | tail -n 1)
expect "the newest import ($newest), or 2.17" \
	"$(printf '%s\n2.17\n' "$newest" | sort -V | tail -n 1)" 2.17

expect "state notes" "$(readelf -n "$LIBRARY" |
	grep -c '^ *memroute  *0x0000000[48]')" 1

finish
