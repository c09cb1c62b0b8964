# needs: nginx curl
mkdir -p /var/log/nginx
nginx
finish() {
  tailwater stop-the-agent
  tailwater cat /mnt/archive /var/log/nginx/access.log > /tmp/page/restored.log
  grep -q 'GET / ' /tmp/page/restored.log
}
