# The machine that most pages take for granted: programs have written logs, and there is a key.
mkdir -p /var/log/app /srv/a /srv/events /etc/tailwater /mnt/archive
for i in 1 2 3; do echo "line $i of a program" >> /var/log/app/a.log; done
seq 1 5000 > /var/log/app/access.log
seq 1 50 > /srv/a/events.log
age-keygen -o /etc/tailwater/key.txt 2> /dev/null ||
  /usr/lib/tailwater-under-test/bin/tailwater keygen -o /etc/tailwater/key.txt > /dev/null
sed -n 's/^# public key: //Ip' /etc/tailwater/key.txt > /etc/tailwater/recipients.txt
head -c 32 /dev/urandom > /etc/tailwater/content-check.key
chmod 600 /etc/tailwater/content-check.key
for package in $PACKAGES; do ln -s "$package" .; done

# What a preparation can replace: a check at the end of its page.
finish() { tailwater stop-the-agent; }

s3_server() { # BUCKET...
  export AWS_REGION=eu-west-1
  s3_server_for me a-long-secret "$@"
}

s3_server_for() { # ACCESS_KEY SECRET_KEY BUCKET...
  export AWS_ACCESS_KEY_ID=$1 AWS_SECRET_ACCESS_KEY=$2 S3_ENDPOINT=http://127.0.0.1:7171
  for bucket in "${@:3}"; do mkdir -p "/srv/s3/$bucket"; done
  ROOT_ACCESS_KEY=$1 ROOT_SECRET_KEY=$2 \
    versitygw --quiet --region eu-west-1 --port 127.0.0.1:7171 posix /srv/s3 > /tmp/page/versitygw.log 2>&1 &
  for _ in $(seq 100); do (: < /dev/tcp/127.0.0.1/7171) 2> /dev/null && return; sleep 0.1; done
  cat /tmp/page/versitygw.log >&2
  return 1
}
