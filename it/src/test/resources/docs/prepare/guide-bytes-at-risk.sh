tailwater ship /var/log/app /mnt/archive
mkdir -p /var/lib/node_exporter
finish() {
  kill -0 "$(cat /run/agent/pid)"
  # The machine of a page has a network of its own, in which nobody else listens.
  if grep ' 0A ' /proc/net/tcp /proc/net/tcp6; then
    echo "somebody listens" >&2
    exit 1
  fi
  tailwater stop-the-agent
}
