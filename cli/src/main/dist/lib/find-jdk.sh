# Sourced by the launchers; starts no process, so that it costs nothing.
# find_jdk [TOOL...] prints the home of the JDK (25 or newer, with each bin/TOOL) to use, or says what to install.

jdk_major() { # HOME: sets $major from its release file (asking java itself would cost 50 ms); fails if there is none
  [ -x "$1/bin/java" ] && [ -r "$1/release" ] || return 1
  while read -r line; do
    case "$line" in
      JAVA_VERSION=*)
        major=${line#JAVA_VERSION=} major=${major#\"} major=${major%%[!0-9]*}
        [ -n "$major" ]
        return
        ;;
    esac
  done < "$1/release"
  return 1
}

suits() { # HOME TOOL...: is it Java 25 or newer, and has it the tools?
  [ -n "$1" ] && jdk_major "$1" && [ "$major" -ge 25 ] || return 1
  jdk_home=$1
  shift
  for tool; do [ -x "$jdk_home/bin/$tool" ] || return 1; done
}

jdk_hint() { # OS-RELEASE: says how a JDK is installed on that distribution
  id='' version='' codename=bookworm
  if [ -r "$1" ]; then
    while IFS= read -r line; do
      value=${line#*=} value=${value#\"} value=${value%\"}
      case "$line" in ID=*) id=$value ;; VERSION_ID=*) version=${value%%.*} ;; VERSION_CODENAME=*) codename=$value ;; esac
    done < "$1"
  fi
  case "$version" in '' | *[!0-9]*) version=99 ;; esac # a rolling release
  if [ "$id" = debian ] && [ "$version" -lt 13 ]; then
    cat << END
Hint: Debian $version has no package of JDK 25. One way changes nothing else: unpack Temurin 25 below /opt/java, or
      point TAILWATER_JAVA_HOME at it. The other takes the package of Debian 13 (trixie), with the C library that it
      needs (libc6, libc-bin, base-files), and leaves all else as it is:
        cd /etc/apt
        [ ! -s sources.list ] || sed s/$codename/trixie/g sources.list > sources.list.d/trixie.list
        [ ! -s sources.list.d/debian.sources ] || sed s/$codename/trixie/g sources.list.d/debian.sources > sources.list.d/trixie.sources
        printf 'Package: *\nPin: release n=trixie*\nPin-Priority: 100\n' > preferences.d/trixie
        apt-get update
        apt-get install --no-install-recommends -t trixie openjdk-25-jdk-headless
END
    return 0
  fi
  case "$id" in
    debian | ubuntu) command='apt-get update && apt-get install openjdk-25-jdk-headless' ;; # Ubuntu has it since 22.04, in universe
    *) command="apt-get install openjdk-25-jdk-headless' or 'dnf install java-25-openjdk-devel" ;;
  esac
  echo "Hint: install one, for example by '$command',"
  echo "      or unpack Temurin 25 below /opt/java, or point TAILWATER_JAVA_HOME at one."
}

bundled_runtime() { # HOME COMMAND: sets $runtime, if the package brought one that serves the command and none is wished for
  case "$2" in
    lab) runtime=$1/lib/plugins/lab/runtime ;; # plots need modules that nothing else does
    *) runtime=$1/runtime ;;
  esac
  [ -z "${TAILWATER_JAVA_HOME:-}" ] && [ -x "$runtime/bin/java" ]
}

find_jdk() {
  for home in "${TAILWATER_JAVA_HOME:-}" "${JAVA_HOME:-}"; do # a user's explicit wish
    if suits "$home" "$@"; then printf '%s\n' "$home"; return 0; fi
  done
  best_home='' best_major=0
  for home in /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* "${HOME:-/nonexistent}"/.sdkman/candidates/java/*; do
    [ ! -L "$home" ] && suits "$home" "$@" || continue
    # The oldest that suffices, since it is the one that was tested most.
    if [ "$best_major" -eq 0 ] || [ "$major" -lt "$best_major" ]; then best_home=$home best_major=$major; fi
  done
  if [ -z "$best_home" ] && java_on_path=$(command -v java 2>/dev/null); then
    home=$(readlink -f "$java_on_path") home=${home%/bin/java}
    if suits "$home" "$@"; then best_home=$home; fi
  fi
  if [ -z "$best_home" ]; then
    echo "tailwater: no JDK 25 or newer found (looked at TAILWATER_JAVA_HOME, JAVA_HOME, /usr/lib/jvm and the PATH)." >&2
    jdk_hint /etc/os-release >&2
    return 1
  fi
  printf '%s\n' "$best_home"
}
