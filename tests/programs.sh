#!/bin/bash
# programs.sh - real programs do the same with the library as without: status,
# stdout and stderr, bound lazily and at start, copying by themselves and by
# libc. A program that is not installed is named and left out.
# SPDX-License-Identifier: BSD-3-Clause

. "$(dirname "$0")/lib.sh"

work=$temporary/work
export HOME=$temporary/home TERM=dumb TZ=UTC
export GIT_CONFIG_NOSYSTEM=1 GIT_TERMINAL_PROMPT=0
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a
export GIT_COMMITTER_EMAIL=a@b GIT_AUTHOR_DATE='2001-02-03T04:05:06Z'
export GIT_COMMITTER_DATE=$GIT_AUTHOR_DATE

# run NAME [VARIABLE=VALUE...]: the script on stdin, in a fresh folder of
# always the same name, with these variables
run()
{
	local name=$1

	shift
	rm -rf "$work" "$HOME"
	mkdir "$work" "$HOME"
	(cd "$work" && env "$@" timeout 120 bash "$temporary/script") \
		>"$temporary/$name.out" 2>"$temporary/$name.err" </dev/null
	echo $? >"$temporary/$name.status"
}

# same NEEDED...: the script on stdin, if these programs are there
same()
{
	local needed arm part

	cat >"$temporary/script"
	for needed; do
		if ! command -v "$needed" >/dev/null; then
			omit "$1: $needed is not installed"
			return
		fi
	done
	run without
	expect "status of $1 by itself" "$(cat "$temporary/without.status")" 0
	check "$1 prints something" test -s "$temporary/without.out"
	run lazy "LD_PRELOAD=$LIBRARY"
	run now "LD_PRELOAD=$LIBRARY" LD_BIND_NOW=1
	run libc "LD_PRELOAD=$LIBRARY" MEMROUTE=libc
	for arm in lazy now libc; do
		for part in status out err; do
			check "$1, $arm: other $part" \
				diff -a "$temporary/without.$part" \
				"$temporary/$arm.$part"
		done
	done
}

same ls <<'END'
ls -lR /usr/lib/x86_64-linux-gnu /etc 2>/dev/null | head -n 20000
ls --nonsense; test $? = 2
END

same bash <<'END'
s=; for i in {1..2000}; do s+="$i "; a[i]=${s:0:300}; done
echo "${s//1/one}" | md5sum; echo "${a[*]}" | md5sum
printf '%s\n' "${a[1999]}"; kill -0 $$ && echo $((1 << 40))
END

same perl <<'END'
perl -e 'my %h; for my $i (1..20000) { $h{"k$i"} = "v" x ($i % 300) }
	print length(join ",", map { "$_=$h{$_}" } sort keys %h), "\n";
	my $s = "abc" x 1e6; $s =~ s/b/BBB/g; print unpack("%32C*", $s), "\n";
	warn "to stderr\n"'
END

same python3 <<'END'
python3 - <<'PY'
import hashlib, json, re, sys, zlib
data = b"".join(bytes([i & 255]) * (i % 777) for i in range(20000))
moved = bytearray(data); moved[5:100005] = moved[0:100000]
print(hashlib.sha256(zlib.decompress(zlib.compress(data))).hexdigest())
print(hashlib.sha256(moved).hexdigest())
print(len(json.dumps([{"a": "x" * i} for i in range(500)])))
print(len(re.sub("a+", "b", "aab" * 100000)), file=sys.stderr)
PY
END

same git <<'END'
git init -q -b main r && cd r && for i in 1 2 3; do
	seq $((i * 10000)) >file$i; git add . ; git commit -qm "commit $i"
done
git log --stat; git gc -q; git fsck; git clone -q . ../c 2>&1
git -C ../c rev-parse HEAD; git diff HEAD~2 | md5sum
END

same sort <<'END'
seq 200000 | sort -R --random-source=/usr/bin/sort | sort -n | md5sum
seq 100000 | sort -S 1M -T . | md5sum; seq 9 | sort -k 1.2 -c nothing; true
END

same tar gzip xz <<'END'
mkdir d; for i in 1 2 3 4 5; do seq $((i * 20000)) >d/f$i; done
for z in gzip xz; do
	tar -c --$z --mtime=@0 --sort=name --owner=0 --group=0 -f a.$z d
	md5sum <a.$z; mkdir $z; tar -x --$z -C $z -f a.$z; diff -r d $z/d
done
END

same gcc <<'END'
cat >a.c <<'C'
#include <stdio.h>
#include <string.h>
struct big { char text[3000]; } one, two;
int main(int argc, char **argv)
{
	one = two; memset(&one, argc, sizeof(one));
	for (int i = 0; i < 9; i++) printf("%s %d\n", strrchr(*argv, '/'), i);
	return 0;
}
C
gcc -O2 -g -Wall -Wunused-macros -DX=1 -c a.c && md5sum <a.o
gcc -O2 -o a a.o && ./a; gcc -Wall -c nothing.c; test $? = 1
END

same clang <<'END'
echo 'int f(int *p) { int s = 0; for (int i = 0; i < 99; i++) s += p[i];
return s; }' >a.c; clang -O3 -g -Wall -c a.c && md5sum <a.o
END

same g++ <<'END'
cat >a.cc <<'C'
#include <algorithm>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>
int main()
{
	std::map<std::string, std::vector<std::string>> m;
	for (int i = 0; i < 5000; i++)
		m[std::to_string(i % 99)].push_back(std::string(i % 500, 'x'));
	size_t n = 0;
	for (auto &e : m) for (auto &s : e.second) n += s.size();
	std::wstring w(1000, L'w'); w.insert(3, w); std::wcout << w.size();
	try { std::string().at(3); } catch (const std::out_of_range &e) {
		std::cerr << "caught\n";
	}
	std::cout << n << std::endl;
}
C
g++ -O1 -o a a.cc && ./a
END

same gdb gcc <<'END'
echo 'int twice(int x) { return 2 * x; } int main(void) { return twice(4); }' \
	>a.c; gcc -g -O0 -o a a.c
gdb -nx -batch -iex 'set debuginfod enabled off' -ex 'set startup-with-shell off' \
	-ex 'set environment LD_BIND_NOW 1' -ex 'break twice' -ex run -ex bt \
	-ex 'finish' -ex cont ./a 2>&1 | grep -v 'process\|thread\|Breakpoint 1 at'
END

same man <<'END'
printf '.TH T 1\n.SH NAME\nt \\- test\n.SH TEXT\n' >t.1
for i in {1..500}; do echo "word $i and \\fBmore\\fP"; done >>t.1
man -P cat -l ./t.1
END

same node <<'END'
node -e 'const z = require("zlib"), c = require("crypto");
const b = Buffer.alloc(3000000, "node"); b.copyWithin(7, 0, 2000000);
console.log(z.gunzipSync(z.gzipSync(b)).equals(b));
console.log(c.createHash("sha256").update(b).digest("hex"));
console.error(JSON.stringify([..."x".repeat(5000)]).length)'
END

same openssl <<'END'
seq 300000 | openssl dgst -sha256
seq 300000 | openssl enc -aes-128-ctr -K 00 -iv 00 2>/dev/null | md5sum
END

same awk sed grep find <<'END'
seq 50000 | awk '{ a[$1 % 100] = a[$1 % 100] $1 } END { for (i = 0; i < 100;
	i++) print a[i] }' | sed 's/1/one/g' | grep -c oneone
find /usr/share/doc -maxdepth 1 | sort | md5sum
END

same make <<'END'
printf 'all: a b\na b:\n\techo $@ >$@\n' >Makefile; make; make; make nothing
test $? = 2
END

same sqlite3 <<'END'
sqlite3 :memory: 'create table t(a, b); with recursive c(x) as (values(1)
union all select x + 1 from c where x < 20000) insert into t select x,
hex(zeroblob(x % 200)) from c; select count(*), sum(length(b)) from t;'
END

# A program that runs under sudo, at boot and the like: pid 1 of its own.
if unshare -p -f true 2>/dev/null; then
	same unshare <<-'END'
	unshare -p -f bash -c 'echo $$; ls / | head -n 3; (exit 3); echo $?'
	END
else
	omit "pid 1: no right to make a namespace"
fi

finish
