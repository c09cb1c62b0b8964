# Part of what the machine wrote had arrived; its disk has more.
mkdir -p /mnt/old/var/log/app
seq 1 2000 > /mnt/old/var/log/app/access.log
tailwater ship --once --agent web-1 --state /tmp/page/first /mnt/old/var/log/app --as /var/log/app /mnt/archive
seq 2001 9000 >> /mnt/old/var/log/app/access.log
