# Runs a page on a machine of its own: a copy of this one in memory, which ends with the namespaces that this runs in.
#   sandbox.sh DIRECTORY PAGE.sh
# Exit code 77: such a machine cannot be made here.
set -eu
box=$1 page=$2
PATH=$PATH:/usr/sbin:/sbin:$HOME/go/bin
cannot() { echo "cannot make a machine for a page: $*" >&2; exit 77; }

ip link set lo up 2> /dev/null || ifconfig lo up || cannot "lo does not go up"
mkdir "$box/memory" "$box/root"
mount -t tmpfs -o mode=755 tmpfs "$box/memory" || cannot "tmpfs"
mkdir "$box/memory/upper" "$box/memory/work"
mount -t overlay -o "lowerdir=/,upperdir=$box/memory/upper,workdir=$box/memory/work" overlay "$box/root" || cannot "overlay"
cd "$box/root"
for name in proc sys dev; do mount --rbind "/$name" "$name"; done
for name in mnt run srv var/log; do mount -t tmpfs -o mode=755 tmpfs "$name"; done
if [ ! -x ".$JDK/bin/java" ]; then # what is mounted below / is not in the copy
  mkdir -p ".$JDK"
  mount --bind "$JDK" ".$JDK"
fi
# The home of whoever runs the tests may be closed to the users of a page.
mkdir -p usr/lib/tailwater-under-test usr/lib/pages
mount --bind "$LAUNCHER_HOME" usr/lib/tailwater-under-test
mount --bind "$RESOURCES" usr/lib/pages
cp usr/lib/pages/tailwater.sh usr/local/bin/tailwater
chmod 755 usr/local/bin/tailwater
cp "$page" usr/local/page.sh
mkdir -p run/agent tmp/page/home && chmod 777 run/agent
export TAILWATER_JAVA_HOME="$JDK" HOME=/tmp/page/home
unset STATE_DIRECTORY XDG_STATE_HOME
exec chroot . /bin/bash -c 'cd /tmp/page/home && exec bash -eu -o pipefail /usr/local/page.sh'
