# An encrypted archive of a machine that has ended.
cp /etc/tailwater/key.txt .
tailwater ship --once --agent web-1 --encrypt-to /etc/tailwater/recipients.txt \
  --content-check-key-file /etc/tailwater/content-check.key /var/log/app /mnt/archive
