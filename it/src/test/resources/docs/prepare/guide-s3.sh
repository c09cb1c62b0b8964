# needs: versitygw
# The credentials of the page are three dots.
s3_server_for ... ... logs.example.com
mkdir -p ~/go/bin && ln -s "$(command -v versitygw)" ~/go/bin/versitygw
