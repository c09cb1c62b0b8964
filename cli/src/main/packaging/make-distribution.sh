#!/bin/sh
# Called by the build: STAGING (bin, conf, lib with the jars) OUTPUT.tar.gz [PICOCLI_SOURCES_JAR]
# Compiles picocli anew, makes the start-up cache and packs everything up.
set -eu
staging=$1 output=$2 picocli_sources=$3
jdk=$JAVA_HOME

# picocli's published classes are of Java 5's format, which the AOT cache passes over: a third of the start-up time.
recompiled=$(dirname "$picocli_sources")/recompiled.jar
if ! [ "$recompiled" -nt "$picocli_sources" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  (cd "$work" && "$jdk/bin/jar" xf "$picocli_sources")
  "$jdk/bin/javac" -nowarn -Xlint:none -proc:none --release 25 -d "$work/classes" $(find "$work/picocli" -name '*.java')
  # In one order, so that two builds give the same bytes.
  (cd "$work/classes" && find picocli -type f | LC_ALL=C sort > "$work/list" &&
    "$jdk/bin/jar" --create --date=2026-11-21T00:00:00Z --file "$recompiled" "@$work/list")
fi
cp -f "$recompiled" "$(echo "$staging"/lib/picocli-*.jar)"

# Tailwater runs on Linux: the libraries for other systems are 3 of the 6.5 MB of zstd-jni.
zstd=$(echo "$staging"/lib/zstd-jni-*.jar)
unpacked=$(mktemp -d)
trap 'rm -rf "${work:-}" "$unpacked" "$unpacked.list"' EXIT
(cd "$unpacked" && "$jdk/bin/jar" xf "$zstd" && rm -rf aix darwin freebsd win && [ -d linux ] &&
  find . -type f ! -path ./META-INF/MANIFEST.MF | LC_ALL=C sort > "$unpacked.list" &&
  "$jdk/bin/jar" --create --date=2026-11-21T00:00:00Z --manifest META-INF/MANIFEST.MF --file "$zstd" "@$unpacked.list")

chmod 755 "$staging"/bin/*
. "$staging/lib/jvm-options.sh"
# What a start-up cache was made of is told from what there is now by this.
(LC_ALL=C && cd "$staging/lib" && sha256sum -- *.jar | sha256sum | cut -d ' ' -f 1 > tailwater.build)
rm -f "$staging"/lib/tailwater.aot*
class_path "$staging/lib"
export TAILWATER_DEBUG=1 # on failure
if ! make_aot_cache "$jdk" "$staging/lib"; then
  echo "make-distribution: no start-up cache could be made" >&2
  exit 1
fi
name=$(basename "$staging")
tar --sort=name --owner=0 --group=0 --numeric-owner -C "$(dirname "$staging")" -czf "$output" "$name"
