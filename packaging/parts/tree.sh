# Sourced by packaging/build: the trees of files that the packages are made of. What is below target/tree/NAME is
# installed below /. Everything lies in /opt/tailwater, whichever package it came with.

opt=opt/tailwater

make_trees() {
  built=$root/.launcher/current
  program=$target/tree/program
  home=$program/$opt
  say "the program ..."
  mkdir -p "$home/lib"
  cp -R "$built/bin" "$built/conf" "$built/kubernetes" "$built/systemd" "$home"
  cp "$built"/lib/*.jar "$built"/lib/*.sh "$home/lib"
  cp "$root/LICENSE" "$home"
  keep_own_natives "$home"/lib/zstd-jni-*.jar
  make_completions
  make_runtime "$home/runtime" "$(modules_for program s3 gs hdfs by-name)"
  for plugin in s3 gs az hdfs lab; do
    mkdir -p "$target/tree/$plugin/$opt/lib/plugins/$plugin"
    # The JARs alone: a start of ./tailwater has perhaps made a cache there.
    cp "$built/lib/plugins/$plugin"/*.jar "$target/tree/$plugin/$opt/lib/plugins/$plugin"
  done
  make_runtime "$target/tree/lab/$opt/lib/plugins/lab/runtime" "$(modules_for program by-name s3 gs hdfs lab)"
  settle "$target/tree" # before the class archive is made, since it states the times of the JARs
  make_class_archive
  settle "$target/tree"
}

settle() { # DIRECTORY: gives everything there the modes and the time of a package
  chmod -R u=rwX,go=rX "$1"
  find "$1" -exec touch -h -d "@$epoch_seconds" {} +
}

make_runtime() { # DIRECTORY MODULES
  say "a Java runtime of $(echo "$2" | tr , ' ') ..."
  # With the line numbers of our own classes, without those of the JDK's: 3 MB.
  "$jdk/bin/jlink" --add-modules "$2" --compress zip-9 --strip-java-debug-attributes --no-header-files --no-man-pages \
    --output "$1" > "$target/work/jlink.log" 2>&1 || {
    cat "$target/work/jlink.log" >&2
    echo "Hint: another JDK can be named with TAILWATER_JAVA_HOME" >&2
    exit 1
  }
  # Without the names of native functions, which only reports of crashes of the JVM print: 5 MB.
  if command -v strip > /dev/null; then
    find "$1/lib" -name '*.so' -exec strip --strip-unneeded {} +
  else
    say "the runtime keeps the symbols of its libraries, 5 MB: strip is missing (package binutils)"
  fi
}

# zstd-jni has a library for each processor that Linux runs on, 3 of the 10.6 MB of all JARs.
keep_own_natives() { # JAR
  work=$target/work/natives
  mkdir -p "$work"
  (cd "$work" && "$jdk/bin/jar" xf "$1")
  find "$work" -name 'libzstd-jni*' ! -path "$work/linux/$(java_arch)/*" -delete
  [ -n "$(find "$work" -name 'libzstd-jni*')" ] || { say "$1 has no library for $(java_arch)"; exit 1; }
  (cd "$work" && find . -type f ! -path ./META-INF/MANIFEST.MF | sed 's/^\.\///' | sort) > "$target/work/natives.list"
  (cd "$work" && "$jdk/bin/jar" --create --date="$timestamp" --manifest META-INF/MANIFEST.MF --file "$1" \
    "@$target/work/natives.list")
}

java_arch() { case "$debian_arch" in arm64) echo aarch64 ;; *) echo amd64 ;; esac }

make_completions() {
  bash=$program/usr/share/bash-completion/completions
  mkdir -p "$bash" "$home/completion"
  TAILWATER_JAVA_HOME=$jdk "$built/bin/tailwater" completion > "$bash/tailwater"
  {
    echo '#compdef tailwater'
    echo '# The completion of bash serves zsh too; the first call must answer itself.'
    echo 'autoload -U +X bashcompinit && bashcompinit'
    echo '. /usr/share/bash-completion/completions/tailwater'
    echo '_bash_complete -o default -F _complete_tailwater'
  } > "$home/completion/_tailwater"
  cp "$bash/tailwater" "$home/completion/tailwater.bash"
  TAILWATER_JAVA_HOME=$jdk "$built/bin/tailwater" completion fish > "$home/completion/tailwater.fish"
}

# A static archive of classes (JEP 310, 350): two dumps of the same list have the same bytes, which an AOT cache
# (JEP 514) has not, and the program starts as fast. The list is what a training run loaded. It is not the same each
# time, so it is a part of what is published, and can be given to the next build.
make_class_archive() {
  if [ -n "$classes" ]; then
    cp "$classes" "$target/work/classes"
  else
    say "a training run ..."
    class_path "$home/lib"
    jvm_options training
    # shellcheck disable=SC2086 # options are words
    "$home/runtime/bin/java" -XX:+UseG1GC -Xmx256m $options -Xshare:off -XX:DumpLoadedClassList="$target/work/loaded" \
      -cp "$classpath" dev.tailwater.cli.Training > "$target/work/training.log" 2>&1 || {
      tail -n 20 "$target/work/training.log" >&2
      exit 1
    }
    grep -v '^#' "$target/work/loaded" > "$target/work/classes"
  fi
  cp "$target/work/classes" "$target/packages/tailwater-$version-linux-$debian_arch.classes"
  say "the archive of classes ..."
  class_path "$home/lib"
  jvm_options training
  # shellcheck disable=SC2086
  "$home/runtime/bin/java" -XX:+UseG1GC -Xmx256m $options -Xshare:dump -XX:SharedClassListFile="$target/work/classes" \
    -XX:SharedArchiveFile="$home/lib/tailwater.jsa" -cp "$classpath" > "$target/work/dump.log" 2>&1 &&
    [ -s "$home/lib/tailwater.jsa" ] || {
    tail -n 20 "$target/work/dump.log" >&2
    exit 1
  }
}

pack() { # TAR.GZ DIRECTORY NAME: packs the directory's contents below NAME
  tar --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --transform "s,^\.,$3,S" -C "$2" -cf - . |
    gzip -n -9 > "$1"
}

make_archives() {
  say "the archives ..."
  platform=linux-$debian_arch
  pack "$target/packages/tailwater-$version-$platform.tar.gz" "$home" "tailwater-$version"
  for plugin in s3 gs az hdfs lab; do
    case "$plugin" in lab) suffix=-$platform ;; *) suffix= ;; esac
    (cd "$target/tree/$plugin/$opt" && tar --sort=name --format=gnu --owner=0 --group=0 --numeric-owner -cf - lib) |
      gzip -n -9 > "$target/packages/tailwater-$plugin-$version$suffix.tar.gz"
  done
}
