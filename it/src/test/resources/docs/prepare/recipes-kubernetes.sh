tailwater ship /var/log/app /mnt/archive
