# needs: versitygw
s3_server bucket logs
tailwater ship --once /var/log/app s3://bucket/prefix
tailwater ship --once --state other /var/log/app s3://logs/web
mkdir /opt/tailwater
