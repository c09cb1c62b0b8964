# needs: versitygw
s3_server bucket
