# Runs with a Debian 13 as its root: the image by podman, without root in it and without a network.
podman() { command podman --storage-driver=vfs --cgroup-manager=cgroupfs --events-backend=none "$@"; }
run() { podman run --cgroups=disabled --network=none "$@"; }

podman load -i /root/*.oci.tar
podman images
image=$(podman images --format '{{.Repository}}:{{.Tag}}' | grep '^localhost/tailwater:')
echo "RESULT: image $(podman image inspect --format '{{.Size}}' "$image") bytes unpacked, $(stat -c %s /root/*.oci.tar) to download"
test "$(podman image inspect --format '{{.User}}' "$image")" = 65532:65532
run --rm "$image" --version
run --rm --entrypoint id "$image" | grep uid=65532

mkdir -p /srv/logs /srv/archive /srv/state /srv/restored
head -c 3000000 /dev/urandom > /srv/logs/a.log
printf 'a line\n' > /srv/logs/b.log
chown 65532 /srv/archive /srv/state /srv/restored
volumes='-v /srv/logs:/logs:ro -v /srv/archive:/archive -v /srv/state:/var/lib/tailwater'
# As Kubernetes runs it: nothing writable but the volumes, no capabilities.
hardened='--read-only --cap-drop=ALL --security-opt=no-new-privileges --tmpfs /tmp:mode=1777'
# shellcheck disable=SC2086 # options are words
trap 'podman logs agent' EXIT # what it said, where something fails below
run -d --name agent $hardened $volumes "$image" ship --agent pod --notices off /logs /archive
health='tailwater status --json | grep -q "\"running\": true"'
for second in $(seq 60); do
  if podman exec agent sh -c "$health" && podman exec agent tailwater status /logs/a.log /logs/b.log; then break; fi
  test "$second" -lt 60
  sleep 1
done
printf 'last\n' >> /srv/logs/b.log
podman exec agent tailwater drain
printf 'very last\n' >> /srv/logs/b.log
podman stop -t 45 agent
podman logs agent
trap - EXIT
test "$(podman inspect --format '{{.State.ExitCode}}' agent)" = 0
# shellcheck disable=SC2086
run --rm $hardened $volumes -v /srv/restored:/restored "$image" restore /archive /restored/files
diff -r /srv/logs /srv/restored/files/logs
echo "RESULT: shipped, drained, stopped and restored every byte"

# The health check of the image is the command that was just tried, and it fails where no agent runs.
podman image inspect "$image" > /root/inspected
# shellcheck disable=SC2086
! run --rm $hardened $volumes --entrypoint sh "$image" -c "$health"
# Without --read-only, as another user, with the S3 plug-in.
run --rm --user 12345 "$image" ls s3://bucket/prefix > /root/s3 2>&1 || :
cat /root/s3
! grep 'no destination for scheme s3' /root/s3
# The program's classes come out of its archive, with the plug-in's on the class path too.
# shellcheck disable=SC2086
run --rm $hardened --env TAILWATER_JAVA_OPTS=-Xlog:class+load:file=/tmp/classes --entrypoint sh "$image" -c \
  'tailwater ls s3://bucket/prefix; cat /tmp/classes' > /root/classes 2>&1 || :
grep -q 'dev.tailwater.cli.Program source: shared objects file' /root/classes
# Licences of what is in it.
for package in libc6 busybox libc-bin; do run --rm --entrypoint test "$image" -s "/usr/share/doc/$package/copyright"; done
