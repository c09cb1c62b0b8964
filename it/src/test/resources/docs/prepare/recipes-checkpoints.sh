mkdir -p /srv/checkpoints
finish() {
  tailwater stop-the-agent
  cmp /srv/checkpoints/step-100.pt /var/tmp/restored/srv/checkpoints/step-100.pt
}
