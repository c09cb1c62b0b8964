# Sourced by ./tailwater when there is something to build: not on the way of an ordinary start.

say() { echo "tailwater: $*" >&2; }

show_progress() { # reads Maven's log, prints a line for each module
  while IFS= read -r line; do
    case "$line" in
      *'Building Tailwater '*'['*/*']'*)
        module=${line#*Building Tailwater } count=${line##*\[}
        module=${module%% [0-9]*}
        case "$module" in
          [0-9]*) ;; # the parent of all modules
          *) printf 'tailwater:   [%s %s\n' "$count" "$module" >&2 ;;
        esac
        ;;
    esac
  done
}

build_distribution() { # ROOT: builds and puts the result at ROOT/.launcher/current; one build at a time
  root=$1
  . "$root/cli/src/main/dist/lib/find-jdk.sh"
  find_jdk javac jar > /dev/null || return 1
  if ! command -v mvn > /dev/null 2>&1 && [ "$(id -u)" -eq 0 ] && command -v apt-get > /dev/null 2>&1; then
    say "Maven is needed to build: apt-get install maven ..."
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends maven; } \
      > /dev/null 2>&1 < /dev/null || say "that failed"
  fi
  if ! command -v mvn > /dev/null 2>&1; then
    say "Maven is needed to build and is not installed."
    echo "Hint: apt-get install maven" >&2
    return 1
  fi
  mkdir -p "$root/.launcher"
  exec 9> "$root/.launcher/lock"
  if ! command -v flock > /dev/null 2>&1; then
    say "flock is missing (package util-linux): two builds at the same time would disturb each other"
  elif ! flock -n 9; then
    say "another build is under way, waiting for it ..."
    flock 9
    if is_fresh; then exec 9>&-; return 0; fi
  fi
  if [ -e "$built/bin/tailwater" ]; then
    say "the sources have changed, building ..."
  else
    say "first use, building (a few minutes; the log is .launcher/build.log) ..."
  fi
  stamp=$root/.launcher/stamp.new
  : > "$stamp" # before the build: what changes during it is built next time
  log=$root/.launcher/build.log
  rm -f "$root/.launcher/succeeded"
  {
    "$root/mvnw" -B -ntp -pl cli,lab,destination/s3,destination/gcs,destination/azure,destination/hdfs -am -P unchecked -Dmaven.test.skip=true -Dspotless.check.skip=true package \
      2>&1 9>&- < /dev/null && : > "$root/.launcher/succeeded" # which nobody writes who was killed
  } | tee "$log" | show_progress
  if ! [ -e "$root/.launcher/succeeded" ]; then
    say "the build failed:"
    grep -m 20 '^\[ERROR\]' "$log" >&2 || tail -n 20 "$log" >&2
    echo "Hint: the whole log is $log" >&2
    exec 9>&-
    return 1
  fi
  # A running agent keeps using the files it was started from; the one before that goes.
  version_dir=$(mktemp -d "$root/.launcher/build.XXXXXX")
  cp -a "$root"/cli/target/distribution/tailwater-*/. "$version_dir"
  for plugin in "$root"/*/target/plugin "$root"/*/*/target/plugin; do
    [ ! -d "$plugin" ] || cp -a "$plugin"/. "$version_dir"
  done
  chmod 755 "$version_dir"
  previous=$(readlink "$built" 2> /dev/null || :)
  ln -sfn "$(basename "$version_dir")" "$built.new"
  mv -T "$built.new" "$built"
  mv "$stamp" "$root/.launcher/stamp"
  for old in "$root"/.launcher/build.??????; do
    case "${old##*/}" in "${version_dir##*/}" | "$previous") ;; *) rm -rf "$old" ;; esac
  done
  exec 9>&-
  say "built."
  for plugin in "$version_dir"/lib/plugins/*/; do
    [ ! -d "$plugin" ] || say "  plug-in $(basename "$plugin"): $(du -sh --apparent-size "$plugin" | cut -f 1)"
  done
}
