# Runs in a booted Debian 13, which has the program rpm: the life of the RPM. Debian's packages are not in rpm's records,
# so the C library that the package requires is not looked for.
rpm -qp --requires /root/tailwater-[0-9]*.rpm | grep glibc
rpm -i --nodeps /root/tailwater-[0-9]*.rpm
rpm -i --nodeps /root/tailwater-s3-*.rpm
rpm -V tailwater tailwater-s3 --nodeps
test -s /opt/tailwater/lib/plugins/s3/tailwater.aot
tailwater --version
id tailwater | grep adm
tailwater check /etc/tailwater/tailwater.yaml
test "$(systemctl is-enabled tailwater || :)" = disabled
mkdir -p /var/log/app /mnt/archive /etc/systemd/system/tailwater.service.d
chown tailwater /mnt/archive
printf 'a line\n' > /var/log/app/a.log
printf '[Service]\nReadWritePaths=/mnt/archive\n' > /etc/systemd/system/tailwater.service.d/archive.conf
systemctl daemon-reload
systemctl enable --now tailwater
sleep 3
rpm -U --force --nodeps /root/tailwater-[0-9]*.rpm
systemctl is-active tailwater
rpm -e tailwater-s3 tailwater
test "$(systemctl is-active tailwater || :)" = inactive
test ! -e /usr/bin/tailwater
test -z "$(find /opt -mindepth 1 -path '*tailwater*')"
test -n "$(find /mnt/archive -name '*.zst')"
echo "RESULT: installed, shipped, upgraded and removed the RPM"
