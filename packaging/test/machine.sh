# Sourced by packaging/verify: a Debian 13 of its own, made once by debootstrap and copied for each test.

tools=$target/tools
machine=$target/machine

a_machine() { # makes a new $machine; skips where that cannot be
  if [ "$(id -u)" -ne 0 ]; then skip "needs root"; return 1; fi
  if ! command -v debootstrap > /dev/null; then skip "debootstrap is not installed"; return 1; fi
  if [ ! -e "$tools/debian.done" ]; then
    mirror=$(grep -rhoE 'https?://[^ ]*/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d 2> /dev/null | head -n 1) || :
    say "making a Debian 13 (once) ..."
    rm -rf --one-file-system "$tools/debian"
    mkdir -p "$tools"
    debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,podman,crun,rpm,zsh,fish,bash-completion,man-db,iproute2 trixie \
      "$tools/debian" ${mirror:+"${mirror% }"} > "$tools/debootstrap.log" 2>&1 || {
      tail -n 5 "$tools/debootstrap.log"
      skip "debootstrap failed"
      return 1
    }
    : > "$tools/debian.done"
  fi
  forget_machine
  cp -a --reflink=auto "$tools/debian" "$machine"
}

forget_machine() { rm -rf --one-file-system "$machine"; }

find_nspawn() { # sets $nspawn; where it is not installed, its package is unpacked and not installed
  nspawn=$(command -v systemd-nspawn) || nspawn=$tools/nspawn/usr/bin/systemd-nspawn
  [ -x "$nspawn" ] || (
    mkdir -p "$tools/nspawn.deb" && cd "$tools/nspawn.deb" && apt-get -qq -o APT::Sandbox::User=root download systemd-container &&
      dpkg-deb -x systemd-container_*.deb "$tools/nspawn"
  )
}

# Boots the machine, which runs /root/SCRIPT as its last service and turns itself off. Fails as the script does.
boot() { # SCRIPT
  find_nspawn || { skip "systemd-nspawn is not to be had"; return 0; }
  mkdir -p "$machine/etc/systemd/system/multi-user.target.wants"
  cat > "$machine/etc/systemd/system/test.service" << END
[Unit]
After=dbus.service
[Service]
Type=oneshot
ExecStart=/bin/sh -c 'sh -eux /root/$1 > /root/log 2>&1; echo \$? > /root/code'
ExecStopPost=/bin/systemctl --no-block poweroff
END
  ln -sf ../test.service "$machine/etc/systemd/system/multi-user.target.wants/test.service"
  timeout -k 10 600 "$nspawn" -q -D "$machine" --boot --register=no --keep-unit --link-journal=no --private-network \
    --console=read-only < /dev/null > "$target/boot.log" 2>&1 || :
  report
}

# Runs /root/SCRIPT with the machine as its root: mounts, processes and network of its own, and only the unified cgroups.
enter() { # SCRIPT
  unshare --mount --pid --net --ipc --uts --fork --kill-child sh -eu -c '
    mount --make-rprivate /
    mount --bind "$1" "$1"
    cd "$1"
    mount -t proc proc proc
    mount -t sysfs sysfs sys
    mount -t cgroup2 cgroup2 sys/fs/cgroup
    mount --rbind /dev dev
    mount -t tmpfs tmpfs run
    mkdir -p old
    pivot_root . old
    umount -l /old
    code=0
    timeout -k 10 600 sh -eux "/root/$2" > /root/log 2>&1 < /dev/null || code=$?
    echo "$code" > /root/code
  ' sh "$machine" "$1" || :
  report
}

report() {
  code=$(cat "$machine/root/code" 2> /dev/null) || code='no exit code'
  if [ "$code" != 0 ]; then
    tail -n 40 "$machine/root/log" || tail -n 30 "$target/boot.log"
    return 1
  fi
  grep '^RESULT: ' "$machine/root/log" | sed 's/^RESULT: /packaging:   /' || :
}
