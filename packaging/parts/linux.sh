# Sourced by packaging/build: the Debian packages and the RPMs, by nfpm.

# Newer releases need modules that not every Go proxy has.
nfpm_version=v2.45.2

install_nfpm() {
  nfpm=$target/tools/nfpm-$nfpm_version
  [ ! -x "$nfpm" ] || return 0
  if ! command -v go > /dev/null 2>&1; then
    say "go is missing, with which nfpm is built, which makes the Debian packages and the RPMs"
    echo "Hint: apt-get install golang-go (1.21 or newer, which fetches the release that nfpm needs)" >&2
    return 1
  fi
  say "building nfpm $nfpm_version (once) ..."
  GOBIN=$target/tools go install "github.com/goreleaser/nfpm/v2/cmd/nfpm@$nfpm_version" > "$target/work/nfpm.log" 2>&1 || {
    tail -n 5 "$target/work/nfpm.log" >&2
    say "nfpm could not be built"
    return 1
  }
  mv "$target/tools/nfpm" "$nfpm"
}

make_linux_packages() { # deb|rpm
  say "$1 ..."
  make_system_files "$1"
  needed=$(c_library "$1" "$program/$opt/runtime") || exit 1
  make_linux_package "$1" program "$needed"
  for plugin in s3 gs az hdfs; do make_linux_package "$1" "$plugin" ''; done
  needed=$(c_library "$1" "$target/tree/lab/$opt/lib/plugins/lab/runtime") || exit 1
  make_linux_package "$1" lab "$needed"
}

# What belongs to other places than /opt. The unit and the configuration are those of the program's own directory.
make_system_files() { # deb|rpm
  system=$target/tree/system-$1
  rm -rf "$system"
  mkdir -p "$system/usr/bin" "$system/usr/lib/systemd/system" "$system/usr/lib/sysusers.d" "$system/etc/tailwater" \
    "$system/usr/share/bash-completion/completions" "$system/usr/share/fish/vendor_completions.d" \
    "$system/usr/share/doc/tailwater"
  ln -s /opt/tailwater/bin/tailwater "$system/usr/bin/tailwater"
  sed '1,/^\[Unit\]/{/^#/d}' "$home/systemd/tailwater.service" > "$system/usr/lib/systemd/system/tailwater.service"
  cp "$home/systemd/tailwater.sysusers.conf" "$system/usr/lib/sysusers.d/tailwater.conf"
  cp "$home/conf/tailwater.yaml" "$system/etc/tailwater/tailwater.yaml"
  cp "$home/completion/tailwater.bash" "$system/usr/share/bash-completion/completions/tailwater"
  cp "$home/completion/tailwater.fish" "$system/usr/share/fish/vendor_completions.d"
  case "$1" in deb) zsh=vendor-completions ;; *) zsh=site-functions ;; esac
  mkdir -p "$system/usr/share/zsh/$zsh"
  cp "$home/completion/_tailwater" "$system/usr/share/zsh/$zsh"
  cp "$here/linux/copyright" "$system/usr/share/doc/tailwater/copyright"
  add_man_pages "$system"
  settle "$system"
}

make_man_pages() { # in target/tree/man/man1, if this clone can
  [ ! -x "$here/man" ] || SOURCE_DATE_EPOCH=$epoch_seconds "$here/man" "$target/tree/man" || exit 1
}

add_man_pages() { # DIRECTORY
  for page in "$target"/tree/man/man1/*.1; do
    [ -f "$page" ] || continue
    mkdir -p "$1/usr/share/man/man1"
    gzip -n -9 -c "$page" > "$1/usr/share/man/man1/$(basename "$page").gz"
  done
}

# The dependency on the C library, by the symbols that the binaries use. The package of another distribution's JDK may
# link more; what is not known here must not become a package that does not start.
c_library() { # deb|rpm DIRECTORY
  case "$1" in deb) echo "  - libc6 (>= $(glibc_version "$2"))" ;; *) echo "  - glibc >= $(glibc_version "$2")" ;; esac
  for library in $(foreign_libraries "$2"); do
    case "$1:$library" in
      *:ld-linux-*.so.* | *:libc.so.6 | *:libm.so.6 | *:libdl.so.2 | *:libpthread.so.0 | *:librt.so.1) ;;
      rpm:*) echo "  - '$library()(64bit)'" ;;
      deb:libz.so.1) echo "  - zlib1g" ;;
      deb:libgcc_s.so.1) echo "  - libgcc-s1" ;;
      deb:libstdc++.so.6) echo "  - libstdc++6" ;;
      deb:libfreetype.so.6) echo "  - libfreetype6" ;;
      *)
        say "the Java of $jdk needs $library, of which packaging/parts/linux.sh knows no package"
        echo "Hint: use Temurin 25, which needs the C library alone (TAILWATER_JAVA_HOME)" >&2
        exit 1
        ;;
    esac
  done
}

# A cache of classes belongs to one JVM and its files, so it is made where they are installed (decision 0113).
cache_scripts() { # s3|gs|az|hdfs: prints them for nfpm
  echo scripts:
  for script in postinstall preremove; do
    sed "s|@plugin@|$1|" "$here/linux/plugin-$script" > "$target/work/$1-$script"
    echo "  $script: $target/work/$1-$script"
  done
}

make_linux_package() { # deb|rpm program|s3|gs|az|hdfs|lab DEPENDS
  case "$2" in program) template=program ;; *) template=plugin ;; esac
  case "$1:$2" in
    *:program | *:lab) arch=$debian_arch ;;
    *) arch=all ;;
  esac
  case "$2" in
    s3) what='delivers to S3 and to servers that speak its protocol' ;;
    gs) what='delivers to Google Cloud Storage' ;;
    az) what='delivers to Azure Blob Storage' ;;
    hdfs) what='delivers to HDFS' ;;
    *) what='measures the file I/O of this machine and recommends settings' ;;
  esac
  case "$1" in deb) same_version="tailwater (= $version-1)" ;; *) same_version="tailwater = $version-1" ;; esac
  {
    sed -e "s|@version@|$version|; s|@arch@|$arch|; s|@timestamp@|$timestamp|; s|@plugin@|$2|; s|@what@|$what|" \
      -e "s|@program@|$same_version|; s|@tree@|$target/tree/$2|; s|@system@|$target/tree/system-$1|" \
      -e "s|@scripts@|$here/linux|" "$here/linux/$template.yaml"
    [ -z "$3" ] || printf '%s\n' "$3"
    case "$2" in program | lab) ;; *) cache_scripts "$2" ;; esac
  } > "$target/work/$1-$2.yaml"
  SOURCE_DATE_EPOCH=$epoch_seconds "$nfpm" package --config "$target/work/$1-$2.yaml" --packager "$1" \
    --target "$target/packages" > "$target/work/nfpm.log" 2>&1 || {
    cat "$target/work/nfpm.log" >&2
    exit 1
  }
}
