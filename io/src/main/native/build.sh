#!/bin/sh
# Builds the native part of io below OUTPUT_DIR, where the class path finds it.
#   build.sh OUTPUT_DIR
# CC names the compiler (default: the first of cc, gcc and clang); a cross compiler builds for its own target.
# Without a compiler, or with one that does not work here, one line says so and all is well: libc's memcpy does the
# work then. The same source and compiler give the same bytes. What is newer than its source is not built again.
set -eu
[ $# -eq 1 ] || { echo "usage: $0 OUTPUT_DIR" >&2; exit 2; }

say() { echo "streaming copy: $*"; }
skip() { say "not built, $*; libc's memcpy is used instead"; exit 0; }

if [ -n "${CC:-}" ]; then
  command -v "${CC%% *}" > /dev/null 2>&1 || skip "there is no compiler $CC (from the variable CC)"
else
  for candidate in cc gcc clang; do
    if command -v "$candidate" > /dev/null 2>&1; then
      CC=$candidate
      break
    fi
  done
  [ -n "${CC:-}" ] || skip "there is no C compiler (cc, gcc or clang)"
fi

# CC may hold options, and is therefore not quoted.
target=$($CC -dumpmachine 2> /dev/null) || skip "$CC -dumpmachine fails"
case $target in
  x86_64-*linux*x32) skip "there is none for $target" ;;
  x86_64-*linux*) arch=x86_64 ;;
  aarch64-*linux*) arch=aarch64 ;;
  *) skip "there is none for $target" ;;
esac

native=$(dirname "$0")
source=$native/streaming_copy.c
library=$1/META-INF/native/linux-$arch/libtailwater-copy.so
if [ "$library" -nt "$source" ] && [ "$library" -nt "$0" ]; then
  exit 0
fi

libgcc=$($CC -print-libgcc-file-name 2> /dev/null) || libgcc=
mkdir -p "$(dirname "$library")"
rm -f "$library" # it is of another source
new=$library.$$ errors=$library.$$.txt
trap 'rm -f "$new" "$errors"' EXIT
# No C library is linked, so that it loads beside any; memcpy is found in the one that the process has. libgcc holds
# what __builtin_cpu_supports reads.
$CC -std=c11 -O2 -fPIC -fvisibility=hidden -ffreestanding -fno-ident -Wall -Wextra -Wpedantic -Wconversion -Werror \
  -shared -nostdlib -Wl,--build-id=none -Wl,-z,noexecstack -Wl,-z,relro -Wl,-z,now -s \
  -o "$new" "$source" ${libgcc:+"$libgcc"} > "$errors" 2>&1 || {
  reason=$(grep -m 1 -i error "$errors" || head -n 1 "$errors")
  skip "$CC does not compile $source${reason:+ ($reason)}"
}
mv "$new" "$library"
say "built $library"
