# Sourced by the launchers. find_jdk prints the home of a JDK that can run Tailwater, or says what to install.

jdk_major() { # HOME -> its major version, from its release file (starting java would cost 50 ms), or nothing
  [ -x "$1/bin/java" ] && [ -r "$1/release" ] || return 1
  sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
}

find_jdk() {
  java_on_path=$(command -v java 2>/dev/null) && java_on_path=$(readlink -f "$java_on_path") || java_on_path=
  best_home='' best_major=0
  for home in "${TAILWATER_JAVA_HOME:-}" "${JAVA_HOME:-}" "${java_on_path%/bin/java}" \
      /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* "${HOME:-/nonexistent}"/.sdkman/candidates/java/*; do
    [ -n "$home" ] && [ ! -L "$home" ] || continue
    major=$(jdk_major "$home") && [ -n "$major" ] && [ "$major" -ge 25 ] || continue
    # The first two are a user's explicit wish; otherwise the oldest that suffices, since it is what was tested.
    case "$home" in "${TAILWATER_JAVA_HOME:-}" | "${JAVA_HOME:-}") printf '%s\n' "$home"; return 0 ;; esac
    if [ "$best_major" -eq 0 ] || [ "$major" -lt "$best_major" ]; then best_home=$home best_major=$major; fi
  done
  if [ -z "$best_home" ]; then
    echo "tailwater: no JDK 25 or newer found (looked at JAVA_HOME, PATH and /usr/lib/jvm)." >&2
    echo "Hint: install one, for example 'apt-get install openjdk-25-jdk-headless' or Temurin 25 ('temurin-25-jdk')," >&2
    echo "      or point TAILWATER_JAVA_HOME at it." >&2
    return 1
  fi
  printf '%s\n' "$best_home"
}
