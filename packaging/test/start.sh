# start.sh PROGRAM PROGRAM: the wall-clock and processor time of a small delivery by each, in turns; the median of eleven.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/logs"
head -c 1000000 /dev/urandom > "$work/logs/a.log"
echo x > "$work/logs/b.log"
for round in $(seq 12); do
  number=0
  for program; do
    number=$((number + 1))
    rm -rf "$work/archive" "$work/state"
    bash -c 'TIMEFORMAT="%R %U %S"; time "$@" > /dev/null 2>&1' bash "$program" ship --once --agent a --state "$work/state" \
      "$work/logs" "$work/archive" 2>> "$work/times.$number"
    [ -e "$work/archive" ]
    bash -c 'TIMEFORMAT="%R %U %S"; time "$@" > /dev/null 2>&1' bash "$program" --version 2>> "$work/version.$number"
  done
done
number=0
for program; do
  number=$((number + 1))
  for kind in times version; do
    sed -i 1d "$work/$kind.$number" # the first one warms the page cache
    wall=$(cut -d ' ' -f 1 "$work/$kind.$number" | sort -n | sed -n 6p)
    processor=$(awk '{ print $2 + $3 }' "$work/$kind.$number" | sort -n | sed -n 6p)
    case "$kind" in times) name='ship --once' ;; *) name='--version' ;; esac
    echo "packaging:   $name: $wall s, processor $processor s: $program"
  done
done
