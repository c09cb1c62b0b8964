# Sourced by packaging/build: what is built, when, and for which machine.

find_facts() { # sets version, timestamp, epoch_seconds, debian_arch, rpm_arch
  version=$(sed -n 's/^  <version>\(.*\)<\/version>$/\1/p' "$root/pom.xml")
  # Every file gets this time, so that two builds give the same bytes. The class archive states the times of the JARs.
  timestamp=$(sed -n 's/.*<project.build.outputTimestamp>\(.*\)<.*/\1/p' "$root/pom.xml")
  epoch_seconds=$(date -d "$timestamp" +%s)
  case "$(uname -m)" in
    x86_64) debian_arch=amd64 rpm_arch=x86_64 ;;
    aarch64) debian_arch=arm64 rpm_arch=aarch64 ;;
    *)
      say "no packages are made for $(uname -m), only for x86_64 and aarch64"
      exit 1
      ;;
  esac
}

modules_for() { # USER...: prints the modules of packaging/runtime/modules that these need, with commas
  for user; do awk -v user="$user" '$2 == user { print $1 }' "$here/runtime/modules"; done | sort -u | paste -sd , -
}

# What the runtime's programs and libraries need of the machine. Windows and sound are never opened, so what they link
# does not count.
binaries() { # DIRECTORY...: prints the paths of the binaries
  find "$@" -type f \( -name '*.so' -o -path '*/bin/*' -o -name jspawnhelper \) \
    ! -name 'libawt_xawt.so' ! -name 'libjawt.so' ! -name 'libsplashscreen.so' ! -name 'libjsound.so'
}

foreign_libraries() { # DIRECTORY...: prints the names of the libraries that these directories do not have themselves
  binaries "$@" | while read -r binary; do
    ldd "$binary" 2> /dev/null || :
  done | awk '{ print $1 }' | sed 's/.*\///' | sort -u | while read -r library; do
    case "$library" in
      linux-vdso.so.* | statically | not) ;;
      *) [ -n "$(find "$@" -name "$library" -print -quit)" ] || echo "$library" ;;
    esac
  done
}

glibc_version() { # DIRECTORY...: prints the highest version of glibc whose symbols the binaries there use
  binaries "$@" | while read -r binary; do grep -ao 'GLIBC_2\.[0-9.]*' "$binary" || :; done |
    sed 's/GLIBC_//; s/\.$//' | sort -Vu | tail -n 1
}
