# needs: logrotate
finish() {
  tailwater stop-the-agent
  tailwater verify --against /var/log/app /mnt/archive
  [ "$(tailwater cat /mnt/archive /var/log/app/a.log)" = "the first line of the new file" ]
  tailwater cat /mnt/archive /var/log/app/a.log.1 | cmp - /var/log/app/a.log.1
}
