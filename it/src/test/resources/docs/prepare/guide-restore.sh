tailwater ship --once /var/log/app /mnt/archive
