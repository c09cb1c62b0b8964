#!/bin/bash
# "tailwater" while a page is run: the packaged program, and what the reader does beside the page. An agent goes to the
# background, as in another terminal; the next agent, or the end of the page, stops it.
set -u
launcher=/usr/lib/tailwater-under-test/bin/tailwater
agent=/run/agent

words=()
before=
for word in "$@"; do
  case $before in
    --measure) word=2s ;; # The files grow all the time; nobody reads the figures.
  esac
  before=$word
  case $word in
    age1...) word=$(sed -n 's/^# public key: //Ip' key.txt) ;;
    DESTINATION) word=/mnt/archive ;;
    PATH) word=/var/log/app/a.log ;;
    DIR) # What is restored must not be taken for files that were never shipped.
      word=/var/log/app
      [ "${1:-}" != restore ] || word=/tmp/restored ;;
    s3://*endpoint=*) ;;
    s3://*\?*) [ -z "${S3_ENDPOINT:-}" ] || word="$word&endpoint=$S3_ENDPOINT" ;;
    s3://*) [ -z "${S3_ENDPOINT:-}" ] || word="$word?endpoint=$S3_ENDPOINT" ;;
  esac
  words+=("$word")
done

runs() { [ -e $agent/pid ] && kill -0 "$(cat $agent/pid)" 2> /dev/null; }

stop() { # The agent ends with 0: it has delivered everything.
  [ -e $agent/pid ] || return 0
  kill "$(cat $agent/pid)" 2> /dev/null
  while [ ! -e $agent/code ]; do sleep 0.1; done
  code=$(cat $agent/code)
  rm -f $agent/pid $agent/code
  [ "$code" = 0 ] || { echo "the agent ended with $code:"; cat $agent/log; exit 1; } >&2
}

start() {
  stop || exit
  : > $agent/log
  chmod 666 $agent/log 2> /dev/null
  setsid bash -c '
    "${@:2}" > "$1/log" 2>&1 & echo $! > "$1/pid"; wait $!; echo $? > "$1/code.new"; mv "$1/code.new" "$1/code"' \
    - $agent $launcher "$@" < /dev/null > /dev/null 2>&1 &
  for _ in $(seq 600); do
    grep -q ' ships to ' $agent/log && break
    [ ! -e $agent/code ] || break
    sleep 0.1
  done
  grep -q ' ships to ' $agent/log || { echo "no agent:"; cat $agent/log; exit 1; } >&2
  printf '%q ' "$@" > $agent/command
}

# The agent that the page speaks of runs "in another terminal".
again() { runs || { [ -e $agent/command ] && eval "start $(cat $agent/command)"; }; }

case "${words[0]:-}" in
  stop-the-agent) stop ;;
  ship)
    case " ${words[*]} " in
      *" --once "* | *" --help "*) stop && exec $launcher "${words[@]}" ;;
      *" --dry-run "*) exec $launcher "${words[@]}" ;; # It changes nothing, so the agent goes on.
      *) start "${words[@]}" ;;
    esac ;;
  drain) again; exec $launcher "${words[@]}" ;;
  status)
    again
    for _ in $(seq 300); do # 3: not delivered yet. What a page asks about is delivered in the end.
      $launcher "${words[@]}"
      code=$?
      [ $code = 3 ] || exit $code
      sleep 0.2
    done
    exit 3 ;;
  ls | cat | restore | verify)
    for _ in $(seq 120); do # A running agent may not have delivered anything yet.
      $launcher "${words[@]}"
      code=$?
      [ $code != 0 ] && runs || exit $code
      sleep 1 # Each try takes a processor a second.
    done
    exit $code ;;
  *) exec $launcher "${words[@]}" ;;
esac
