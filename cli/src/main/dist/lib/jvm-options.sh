# Sourced by the launchers; starts no process unless a cache must be made.

# Sets $classpath and, without directories, $program_jars. The order is part of what the AOT cache was made for.
class_path() { # LIB [PLUGIN]
  classpath= program_jars=
  locale=${LC_ALL:-}
  LC_ALL=C # bash, which is sh on many machines, sorts by the locale
  for jar in "$1"/*.jar; do classpath=${classpath:+$classpath:}$jar program_jars=$program_jars:${jar##*/}; done
  # A plug-in comes last: what the program has of the same library is of the same version, which a test checks.
  [ -z "${2:-}" ] || for jar in "$1/plugins/$2"/*.jar; do classpath=$classpath:$jar; done
  if [ -n "$locale" ]; then LC_ALL=$locale; else unset LC_ALL; fi
}

# A plug-in in a class loader of its own costs a second, since the JVM caches only what is on the class path. So the
# only plug-in that a command needs goes there. This is a guess that may be wrong: the program finds every plug-in by
# itself, and loads what is not on the class path as it always did.
needed_plugin() { # HOME [ARGUMENT...]: sets $plugin to the one plug-in for destinations that the arguments name
  plugin=
  plugins=$1/lib/plugins
  # A directory of the user's may have another plug-in for the same scheme.
  [ -d "$plugins" ] && [ -z "${TAILWATER_PLUGINS:-}" ] && [ "${2:-}" != lab ] || return 0
  shift
  named=
  before=
  for argument; do
    name_plugins "$argument"
    case "$argument" in --config=*) name_plugins_in "${argument#--config=}" ;; esac
    case "$before $argument" in '--config '* | *.yaml | *.yml) name_plugins_in "$argument" ;; esac
    before=$argument
  done
  set -- $named
  [ $# -ne 1 ] || plugin=$1
}

name_plugins() { # TEXT: adds to $named the installed plug-ins whose URIs are in the text
  case "$1" in *://*) ;; *) return 0 ;; esac
  for home_of in "$plugins"/*/; do
    name=${home_of%/} name=${name##*/}
    [ "$name" != lab ] || continue # it adds a command, and no destination
    case "$1" in "$name"://* | *[!A-Za-z0-9+.-]"$name"://*) ;; *) continue ;; esac
    case " $named " in *" $name "*) ;; *) named="$named $name" ;; esac
  done
}

name_plugins_in() { # FILE: the same with the beginning of a configuration file, comments apart
  [ -f "$1" ] && [ -r "$1" ] || return 0 # what is not a file could be read only once
  # Any argument may be a source of some gigabytes, and its name may begin with '-'. The braces keep bash from telling of
  # NULs. What cannot be read after all is the program's to report.
  { beginning=$(head -c 65536 < "$1") || beginning=; } 2> /dev/null
  set -f
  IFS='
'
  set -- $beginning
  unset IFS
  set +f
  for text; do
    text=${text#"${text%%[!	 ]*}"}
    case "$text" in '#'*) ;; *) name_plugins "${text%% #*}" ;; esac
  done
}

# Only the names of many files take more than the least: an agent with a few files never grows to its limit.
agent_heap() { # [ROOT]
  heap_within 96 256 "${1:-}"
}

# Sets $heap_mebibytes: what the user says, or a quarter of the machine's or container's memory.
heap_within() { # LEAST MOST [ROOT]
  ! given_heap || return 0
  heap_mebibytes=$1 least=$1 most=$2
  shift 2
  [ -r "${1:-}/proc/meminfo" ] && [ -r "${1:-}/proc/self/cgroup" ] || return 0
  memory_kibibytes=0
  while read -r name size rest; do
    case "$name" in MemTotal:) memory_kibibytes=$size; break ;; esac
  done < "${1:-}/proc/meminfo"
  group=
  while IFS=: read -r number controllers path; do
    [ "$number" != 0 ] || group=$path
  done < "${1:-}/proc/self/cgroup"
  for file in "cgroup$group/memory.max" cgroup/memory.max cgroup/memory/memory.limit_in_bytes; do
    bytes=
    [ ! -r "${1:-}/sys/fs/$file" ] || read -r bytes < "${1:-}/sys/fs/$file" || :
    case "$bytes" in
      '' | *[!0-9]*) ;; # no such limit
      *) [ "$((bytes / 1024))" -ge "$memory_kibibytes" ] || memory_kibibytes=$((bytes / 1024)) ;;
    esac
  done
  heap_mebibytes=$((memory_kibibytes / 4096))
  [ "$heap_mebibytes" -ge "$least" ] || heap_mebibytes=$least
  [ "$heap_mebibytes" -le "$most" ] || heap_mebibytes=$most
}

# The sizes of the generations follow the size of the heap, whoever says that.
given_heap() { # does TAILWATER_JAVA_OPTS say how large the heap is? sets $heap_mebibytes
  case " ${TAILWATER_JAVA_OPTS:-}" in *' -Xmx'[1-9]*) ;; *) return 1 ;; esac
  given=${TAILWATER_JAVA_OPTS##*-Xmx}
  given=${given%%[!0-9kKmMgG]*}
  number=${given%[kKmMgG]}
  case "$number" in '' | 0* | *[!0-9]* | ?????????????*) return 1 ;; esac
  case "$given" in
    *[kK]) heap_mebibytes=$((number / 1024)) ;;
    *[mM]) heap_mebibytes=$number ;;
    *[gG]) heap_mebibytes=$((number * 1024)) ;;
    *) heap_mebibytes=$((number / 1048576)) ;;
  esac
  [ "$heap_mebibytes" -ge 8 ] # The JVM says what is wrong with less.
}

# Adds the size of the heap to $options, and those of a young generation: one that is to be large, or the JVM's own
# third. All are said, since JAVA_TOOL_OPTIONS may have others that were meant for larger programs.
heap_options() { # INITIAL [YOUNG]
  initial=$1
  [ "$initial" -le "$heap_mebibytes" ] || initial=$heap_mebibytes
  options="$options -Xms${initial}m -Xmx${heap_mebibytes}m"
  if [ -z "${2:-}" ]; then
    options="$options -XX:NewSize=$((initial / 3))m -XX:MaxNewSize=$((heap_mebibytes / 3))m"
    return 0
  fi
  young=$2
  [ "$young" -le "$((heap_mebibytes * 3 / 8))" ] || young=$((heap_mebibytes * 3 / 8))
  options="$options -Xmn${young}m"
}

fixed_heap() { # MEBIBYTES: the size of the heap, unless the user says another one; adds it to $options
  given_heap || heap_mebibytes=$1
  heap_options 64
}

jvm_options() { # [COMMAND [ARGUMENT...]]: sets $options
  # One collector thread and no performance-data file: the agent is a guest on this machine.
  # Without the classes in META-INF/versions: zstd-jni's for Java 22 link thirty functions by generating code, which
  # is a quarter of a start's processor time; its JNI bindings do the same and cost nothing.
  # The archive of classes is mapped at the address it was made for, where that is free. Elsewhere all its pointers would
  # be changed, which copies all of its 30 to 50 MB into memory of this process and takes a tenth of a start.
  # Out of memory, the program cannot be trusted with anything but its end, whatever catches the error: it hears
  # SIGUSR1 and ends with 1. ExitOnOutOfMemoryError would end it with 3, which means something else here.
  # What the JVM itself has to say is no part of what 'cat' or '--json' print.
  options='-Xlog:disable -Xlog:all=warning:stderr -XX:+DisplayVMOutputToStderr -XX:-UsePerfData -Xss512k -XX:OnOutOfMemoryError=kill${IFS}-USR1${IFS}%p
    --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow
    -XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0
    -Djdk.util.jar.enableMultiRelease=false -Dstdout.encoding=UTF-8 -Dstderr.encoding=UTF-8'
  case "${1:-}" in
    training) return 0 ;;
    # The agent's memory has a stated bound: this, and what the JVM itself needs beside the heap. With few files almost
    # all of the heap is buffers that are old at once, so the young generation is small; with many it grows with the old
    # one, at each full collection. These come when the heap has grown by a third, and when little is allocated any more
    # (the class HeapTrimmer), and give back what they free, but for what the heap has at the start.
    ship)
      agent_heap
      heap_options 24
      young=$((heap_mebibytes / 8))
      # Locks that nobody waits for are given back every five seconds, not four times a second: a tenth of what an agent
      # without work takes.
      options="$options -XX:TrimNativeHeapInterval=5000 -XX:AsyncDeflationInterval=5000
        -XX:NewSize=$((young < 8 ? young : 8))m -XX:MaxNewSize=${young}m -XX:NewRatio=3
        -XX:MinHeapFreeRatio=10 -XX:MaxHeapFreeRatio=20 -XX:-ShrinkHeapInSteps"
      late_second_compiler
      # The second compiler would take 6 to 13 MB for a few methods, which are left to the first. Said after 'quiet'.
      options="$options -XX:CompileCommand=MemLimit,*.*,6M"
      ;;
    # What is measured is what this JVM does for other programs: its own choice of a collector, both compilers, and
    # room for files in memory. An experiment that runs out of it has failed, and the rest go on.
    lab)
      options="$options -Xmx1g -XX:OnOutOfMemoryError= -Djava.awt.headless=true"
      return 0
      ;;
    # The packs that become one, that one, and what is sorted at once.
    compact)
      fixed_heap 512
      late_second_compiler
      ;;
    # Who reads an archive keeps a kilobyte or two in memory for each of its streams.
    restore)
      heap_within 256 1024
      # What waits for a sync or is not written yet should die young, or the heap grows to its limit.
      heap_options 128 64
      if is_without_ciphers "$@"; then
        options="$options -XX:TieredStopAtLevel=1 -XX:-AOTReplayTraining"
        early_loops
      else
        late_second_compiler
      fi
      ;;
    verify | cat | demo)
      heap_within 256 1024
      heap_options 64
      late_second_compiler
      ;;
    ls)
      heap_within 128 1024
      # All of it lives until the end: it is copied once, to the old generation, and not many times in small collections.
      # What was hot when the AOT cache was made is not compiled at once: most of it is not for a list.
      heap_options 96 48
      options="$options -XX:TieredStopAtLevel=1 -XX:MaxTenuringThreshold=0 -XX:SurvivorRatio=48 -XX:-AOTReplayTraining"
      early_loops
      ;;
    # Without an agent, it looks at each file that the last one knew.
    status)
      fixed_heap 128
      late_second_compiler
      ;;
    # What is over in a moment gains nothing from the second compiler, nor from compiling at once what was hot when the
    # AOT cache was made.
    *)
      fixed_heap 128
      options="$options -XX:TieredStopAtLevel=1 -XX:-AOTReplayTraining"
      ;;
  esac
  # JAVA_TOOL_OPTIONS may choose another one, for all Java programs of the machine; two are an error.
  options="-XX:-UseG1GC -XX:-UseParallelGC -XX:-UseZGC -XX:-UseShenandoahGC -XX:+UseSerialGC $options"
}

# What reads an archive of many files spends its time in a few dozen calls that loop over thousands of entries each.
# Such a loop is interpreted until it has gone round 60 000 times; the first compiler is quick enough to be asked sooner.
early_loops() { # adds to $options
  options="$options -XX:Tier3BackEdgeThreshold=5000"
}

# The second compiler halves the cost of encryption and otherwise compiles what runs for a moment. So its thresholds are ten
# times the usual ones for all but the ciphers, and what was hot when the AOT cache was made is not compiled at once. It
# takes half the time where it copies less of one method into another.
late_second_compiler() { # adds to $options
  options="$options -XX:-AOTReplayTraining -XX:InlineSmallCode=1200 -XX:FreqInlineSize=120 -XX:MaxInlineLevel=8
    -XX:Tier4InvocationThreshold=50000 -XX:Tier4MinInvocationThreshold=6000
    -XX:Tier4CompileThreshold=150000 -XX:Tier4BackEdgeThreshold=400000 -XX:CompileCommand=quiet
    -XX:CompileCommand=CompileThresholdScaling,com.sun.crypto.provider.*::*,0.1"
}

# Ciphers, hashes and TLS are ten times as fast with the second compiler; the rest of a restore is system calls and native
# code, and that compiler takes longer than it saves. A wrong guess costs time only.
is_without_ciphers() { # COMMAND [ARGUMENT...]: do the arguments name no keys and nothing remote?
  for argument; do
    case "$argument" in *://* | --identity* | --trust* | *.yaml | *.yml) return 1 ;; esac
  done
}

terminal_options() { # adds to $options what only a shell can ask cheaply: is there a terminal to draw progress on?
  if [ -t 2 ]; then
    columns=${COLUMNS:-}
    [ -n "$columns" ] || columns=$( (stty size < /dev/tty | cut -d ' ' -f 2) 2> /dev/null) || columns=
    case "$columns" in '' | *[!0-9]* | 0) columns=80 ;; esac
    options="$options -Dtailwater.terminal.columns=$columns"
  fi
}

# Adds to $options what the process that started this one asked for. What this one starts in turn must not take it for
# itself.
parent_options() {
  [ -z "${TAILWATER_ENDS_WITH_INPUT:-}" ] || options="$options -Dtailwater.endsWithInput=true"
  unset TAILWATER_ENDS_WITH_INPUT
}

same_text() { # FILE FILE: have both the same lines?
  [ -r "$1" ] && [ -r "$2" ] || return 1
  while IFS= read -r this <&3; do
    IFS= read -r that <&4 && [ "$this" = "$that" ] || return 1
  done 3< "$1" 4< "$2"
}

process_identity() { # PID: sets $identity, which no other process of this machine has or will have; fails if it is gone
  IFS= read -r boot < /proc/sys/kernel/random/boot_id && IFS= read -r identity < "/proc/$1/stat" || return 1
  pid=$1
  set -- ${identity##*') '} # from the third field on; the second may contain anything
  identity=$boot:$pid:${20} # when it was started
} 2> /dev/null

claim_cache() { # LIB: may this process make the cache? Not while another one does; one that is gone does not count
  process_identity $$ || identity=unknown
  own=$identity
  while ! ln -s "$own" "$1/.cache-maker" 2> /dev/null; do
    maker=$(readlink "$1/.cache-maker") || return 1
    pid=${maker#*:} pid=${pid%%:*}
    if process_identity "$pid" && [ "$identity" = "$maker" ]; then return 1; fi
    rm -f "$1/.cache-maker" || return 1
  done
  rm -rf "$1"/.making-cache* # what was left by those who are gone
}

make_aot_cache() { # JDK LIB [PLUGIN]: runs the program once and keeps the classes it loaded, next to the release file of that JVM
  cache_place "$2" "${3:-}"
  making=$(mktemp -d "$place/.making-cache.XXXXXX") || return 1
  # What is replaced meanwhile is not in the cache, whose time is that of its beginning: or later, if a JAR is of later.
  : > "$making/begun"
  for jar in "$2"/*.jar "$place"/*.jar; do
    if [ "$jar" -nt "$making/begun" ]; then touch -r "$jar" "$making/begun"; fi
  done
  cached_jars "${3:-}"
  printf '%s\n' "$jars" > "$making/jars"
  ! [ -e "$2/tailwater.build" ] || cp "$2/tailwater.build" "$making/build"
  jvm_options training
  # With the serial collector the cache would lack the objects of the heap, which it can read well: 0.1 s slower. The
  # second compiler takes a quarter of the time, and nothing of its work is kept. No command but the lab would use
  # profiles, which are 3 MB of each process.
  if train "$1/bin/java" "${3:-}" -XX:+UseG1GC -XX:TieredStopAtLevel=3 -Xmx256m $options -XX:-AOTRecordTraining \
      -XX:AOTCacheOutput="$making/cache" \
      -Xlog:disable -Xlog:all=error:stderr > "$making/log" 2>&1 < /dev/null && [ -s "$making/cache" ]; then
    rm -f "$place/tailwater.aot.jvm" # so that at no moment it names the JVM of another cache
    touch -r "$making/begun" "$making/cache"
    mv -f "$making/cache" "$place/tailwater.aot"
    mv -f "$making/jars" "$place/tailwater.aot.jars"
    rm -f "$place/tailwater.aot.build"
    ! [ -e "$making/build" ] || mv -f "$making/build" "$place/tailwater.aot.build"
    cp -f "$1/release" "$place/tailwater.aot.jvm"
    made=0
  else
    made=1
    [ -z "${TAILWATER_DEBUG:-}" ] || cat "$making/log" >&2
    # Where it failed once it is not tried again at every start.
    [ -z "${3:-}" ] || printf '%s\n' "$1:$classpath" > "$place/tailwater.aot.failed"
  fi
  rm -rf "$making"
  return "$made"
}

train() { # JAVA PLUGIN OPTION...: runs what a user often runs; credentials of nobody for a server in the same process
  java=$1 trained=$2
  shift 2
  (
    unset AWS_PROFILE AWS_REGION AWS_SESSION_TOKEN
    export AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null
    export AWS_ACCESS_KEY_ID=training AWS_SECRET_ACCESS_KEY=training AZURE_STORAGE_KEY=dHJhaW5pbmc=
    exec "$java" "$@" -cp "$classpath" dev.tailwater.cli.Training $trained
  )
}

cache_place() { # LIB PLUGIN: sets $place to the directory of the cache of the program, alone or with the plug-in
  place=$1${2:+/plugins/$2}
}

cached_jars() { # PLUGIN: sets $jars to what must be on the class path of a cache
  # That of the program alone may have been moved since, and serves a plug-in that has no cache yet.
  jars=${1:+$classpath}
  jars=${jars:-$program_jars}
}

# The JVM does not look whether the JARs are still those of the cache (JDK 25): it would go on with the old classes. The
# packages of one version may differ, and their files may be older than the cache; a JAR that a user replaces is newer.
has_cache() { # JDK LIB PLUGIN: is there one for this JVM and these JARs? Sets $place
  cache_place "$2" "$3"
  same_text "$1/release" "$place/tailwater.aot.jvm" || return 1
  if [ -e "$2/tailwater.build" ]; then
    same_text "$2/tailwater.build" "$place/tailwater.aot.build" || return 1
  fi
  cached_jars "$3"
  IFS= read -r cached < "$place/tailwater.aot.jars" && [ "$cached" = "$jars" ] || return 1
  for jar in "$2"/*.jar "$place"/*.jar; do
    if [ "$jar" -nt "$place/tailwater.aot" ]; then return 1; fi
  done
} 2> /dev/null

# Adds the cache to $options, if there is one for this JVM or one can be made. Nobody can have it together with another
# archive of classes, or with none.
aot_cache() { # JDK LIB [PLUGIN]
  case " ${JAVA_TOOL_OPTIONS:-} ${JDK_JAVA_OPTIONS:-} ${TAILWATER_JAVA_OPTS:-}" in
    *' -Xshare:'* | *' -XX:SharedArchiveFile='* | *' -XX:AOT'*) return 0 ;;
  esac
  wanted_cache "$1" "$2" "${3:-}" || {
    # The program's own serves a class path that begins with its own too.
    [ -n "${3:-}" ] && has_cache "$1" "$2" '' || return 0
  }
  use_cache
}

use_cache() { # adds the cache in $place to $options
  options="$options -XX:AOTCache=$place/tailwater.aot -Xlog:aot*=off:stderr -Xlog:cds*=off:stderr"
}

wanted_cache() { # JDK LIB PLUGIN: is there a cache, perhaps made just now? Sets $place
  has_cache "$1" "$2" "$3" && return 0
  if IFS= read -r failed < "$place/tailwater.aot.failed" && [ "$failed" = "$1:$classpath" ]; then return 1; fi 2> /dev/null
  [ -w "$place" ] && claim_cache "$place" || return 1
  [ ! -t 2 ] || echo "tailwater: first start on this JVM${3:+ with $3}, preparing its start-up cache (once) ..." >&2
  saved=$options
  make_aot_cache "$1" "$2" "$3" || :
  options=$saved
  rm -f "$place/.cache-maker"
  has_cache "$1" "$2" "$3"
}

install_cache() { # HOME PLUGIN: makes the cache of a plug-in for the Java of the package, anew
  cache_place "$1/lib" "$2"
  rm -f "$place"/tailwater.aot*
  options=
  class_path "$1/lib" "$2"
  wanted_cache "$1/runtime" "$1/lib" "$2" && return 0
  rm -f "$1/lib/plugins/$2/tailwater.aot.failed" # a start may have what an installation lacks, such as loopback
  return 1
}

bundled_classes() { # JDK LIB [PLUGIN]: adds to $options the class archive of the package, or the cache of the plug-in
  archive=$2/tailwater.jsa # serves the plug-in's class path too, which begins with the program's
  if [ -n "${3:-}" ]; then
    if [ -r "$2/plugins/$3/tailwater.jsa" ]; then
      archive=$2/plugins/$3/tailwater.jsa
    elif wanted_cache "$1" "$2" "$3"; then
      use_cache
      return 0
    fi
  fi
  options="$options -XX:SharedArchiveFile=$archive -Xlog:aot*=off:stderr -Xlog:cds*=off:stderr"
}
