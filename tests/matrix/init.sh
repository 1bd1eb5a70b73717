#!/bin/sh
# init.sh - the first and only process of the machine that Bochs emulates.
# Runs /guard once for each line of /settings, up to one block of non-temporal
# streams, since Bochs is slow; then turns the machine off.
# SPDX-License-Identifier: BSD-3-Clause

mount -t devtmpfs devtmpfs /dev
exec </dev/ttyS0 >/dev/ttyS0 2>&1

while read -r setting; do
	echo "begin $setting"
	MEMROUTE=$setting,verbose LD_PRELOAD=/libmemroute.so /guard 280000
	echo "end $setting $?"
done </settings
echo "all done"

# The last close of the line waits until all of it has been sent.
exec </dev/null >/dev/null 2>&1
poweroff -f
