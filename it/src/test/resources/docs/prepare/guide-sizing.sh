printf 'sources: [/var/log/app]\ndestination: s3://logs/web\n' > tailwater.yaml
(while :; do echo 'one more line of a program' >> /var/log/app/a.log; sleep 0.2; done) &
