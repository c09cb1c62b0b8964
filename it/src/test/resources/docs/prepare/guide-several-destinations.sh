# needs: versitygw
s3_server logs
