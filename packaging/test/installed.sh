# Runs in a booted Debian 13 as its last service: the life of the Debian package.

listing() { # what is there that is not the package manager's own record or a log; dpkg deletes /opt too if it is empty
  find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /tmp -o -path /root -o -path /var/log \
    -o -path /var/tmp -o -path /var/lib/dpkg -o -path /var/lib/systemd -o -path /var/cache -o -path /mnt -o -path /etc/.pwd.lock \) \
    -prune -o -print | grep -v '^/etc/\(passwd\|group\|shadow\|gshadow\|subuid\|subgid\)-$' | grep -vx /opt | sort
}
await() { # COMMAND...: until it succeeds, at most 120 times
  for second in $(seq 120); do
    if "$@"; then return 0; fi 2> /dev/null
    sleep 1
  done
  return 1
}

told() { # at a failure, what the agent and systemd said
  code=$?
  [ "$code" -eq 0 ] || { journalctl --no-pager -u tailwater | tail -n 40; systemctl status --no-pager tailwater; } || :
  exit "$code"
}
trap told EXIT

running() { tailwater status --json --state /var/lib/tailwater | grep -q '"running": true'; }

listing > /root/before
dpkg -i /root/tailwater_*.deb /root/tailwater-s3_*.deb
echo "RESULT: installed $(dpkg-query -W -f '${Installed-Size}' tailwater) KiB"
tailwater --version
test "$(systemctl is-enabled tailwater || :)" = disabled
test "$(systemctl is-active tailwater || :)" = inactive
tailwater check /etc/tailwater/tailwater.yaml
id tailwater | grep adm
systemd-analyze security --no-pager tailwater.service | tail -n 1
exposure=$(systemd-analyze security --no-pager tailwater.service | sed -n 's/.*exposure level for [^:]*: \([0-9.]*\).*/\1/p')
echo "RESULT: exposure level $exposure"
awk -v level="$exposure" 'BEGIN { exit !(level != "" && level <= 1.5) }'

# The classes come out of the archive of the package.
TAILWATER_JAVA_OPTS=-Xlog:class+load:file=/tmp/classes tailwater --version
grep -q 'dev.tailwater.cli.Program source: shared objects file' /tmp/classes

# So do those of the plug-in, out of the cache that its installation made, for the service's user too.
test -s /opt/tailwater/lib/plugins/s3/tailwater.aot
test "$(stat -c %a /opt/tailwater/lib/plugins/s3/tailwater.aot.jvm)" = 644
printf 'sources: [/var/log]\ndestination: s3://bucket/web\n' > /tmp/s3.yaml
TAILWATER_JAVA_OPTS=-Xlog:class+load:file=/tmp/s3-classes setpriv --reuid=tailwater --regid=tailwater --clear-groups \
  tailwater check /tmp/s3.yaml
grep -q 'dev.tailwater.destination.s3.S3Place source: shared objects file' /tmp/s3-classes
rm /tmp/s3.yaml

# Ship: logs as programs of Debian write them, and one that needs the drop-in.
mkdir -p /var/log/app /mnt/archive /etc/systemd/system/tailwater.service.d
chown tailwater /mnt/archive
head -c 3000000 /dev/urandom > /var/log/app/a.log
printf 'first\n' > /var/log/app/b.log
chown root:adm /var/log/app/*.log
chmod 640 /var/log/app/*.log
printf '[Service]\nReadWritePaths=/mnt/archive\n' > /etc/systemd/system/tailwater.service.d/archive.conf
systemctl daemon-reload
systemctl enable --now tailwater
await tailwater status --state /var/lib/tailwater /var/log/app/a.log /var/log/app/b.log
test "$(stat -c %U /var/lib/tailwater)" = tailwater
printf 'secret\n' > /var/log/app/secret.log
chmod 600 /var/log/app/secret.log
await sh -c 'journalctl -u tailwater | grep "secret.log: EACCES"'
cp /opt/tailwater/systemd/read-all-files.conf /etc/systemd/system/tailwater.service.d
systemctl daemon-reload
systemctl restart tailwater
await tailwater status --state /var/lib/tailwater /var/log/app/secret.log

# An upgrade restarts the agent; what the user wrote stays.
printf '# mine\n' >> /etc/tailwater/tailwater.yaml
pid=$(systemctl show -P MainPID tailwater)
dpkg -i /root/tailwater_*.deb
systemctl is-active tailwater
test "$(systemctl show -P MainPID tailwater)" != "$pid"
grep -q '^# mine$' /etc/tailwater/tailwater.yaml

# Stop: what was written just before is delivered.
await running # a stop that comes before the program handles signals leaves the bytes to the next start
printf 'last\n' >> /var/log/app/b.log
systemctl stop tailwater
test "$(systemctl show -P Result tailwater)" = success
tailwater restore /mnt/archive /tmp/restored
diff -r /var/log/app /tmp/restored/var/log/app
echo "RESULT: shipped, stopped and restored every byte"

# Completion.
bash -c '. /usr/share/bash-completion/completions/tailwater; COMP_WORDS=(tailwater re); COMP_CWORD=1; COMP_LINE="tailwater re"
  _complete_tailwater; printf "%s\n" "${COMPREPLY[@]}"' | grep -qx restore
zsh -fc 'autoload -U compinit; compinit -u -d /tmp/zcompdump; print -r -- $_comps[tailwater]' | grep -qx _tailwater
fish -c 'complete -C "tailwater re"' | grep -q '^restore'

# Man pages: one for the program and one for each command.
for page in tailwater $(tailwater --help | sed -n '/^Begin/,$s/^  \([a-z]*\)  .*/tailwater-\1/p' | grep -vx tailwater-help); do
  man -w "$page"
done
man tailwater-restore | grep -q '^ *--dry-run'

# Remove: stopped, and the state stays. Purge: nothing stays.
systemctl start tailwater
dpkg -r tailwater-s3
dpkg -r tailwater
test "$(systemctl is-active tailwater || :)" = inactive
test ! -e /opt/tailwater
test ! -e /usr/bin/tailwater
test -d /var/lib/tailwater
test -e /etc/tailwater/tailwater.yaml
dpkg -P tailwater
rm -rf /etc/systemd/system/tailwater.service.d
listing > /root/after
diff /root/before /root/after
! grep tailwater /etc/passwd /etc/group /etc/shadow /etc/gshadow
test -z "$(systemctl list-unit-files --no-legend 'tailwater*')"
echo "RESULT: purged, nothing is left"
