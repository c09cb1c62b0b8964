# needs: psql runuser
bin=$(dirname "$(ls /usr/lib/postgresql/*/bin/initdb | tail -1)")
data=/var/lib/postgresql/of-the-page
mkdir -p /run/postgresql /etc/postgresql/conf.d
install -d -o postgres -m 700 /var/lib/postgresql $data
chown postgres /run/postgresql
as_postgres() { runuser -u postgres -- "$@"; }
cd /tmp/page
as_postgres "$bin/initdb" -D $data -A trust > /tmp/page/initdb.log
printf "include_dir = '/etc/postgresql/conf.d'\nunix_socket_directories = '/run/postgresql'\n" >> $data/postgresql.conf
as_postgres "$bin/pg_ctl" -D $data -w -l $data/log start
systemctl() { # restart postgresql
  [ "$*" = "restart postgresql" ]
  as_postgres "$bin/pg_ctl" -D $data -w -m fast -l $data/log restart
}
export PATH="$PATH:$bin"
psql() { command "$bin/psql" -h /run/postgresql "$@"; }
finish() {
  [ "$(psql -U postgres -p 5433 -Atc 'select count(*) from greeting')" = 2 ]
  as_postgres "$bin/pg_ctl" -D /var/tmp/recovered -w -m immediate stop
  segment=$(ls /var/tmp/restored/var/spool/wal | head -1)
  "$bin/pg_waldump" "/var/tmp/restored/var/spool/wal/$segment" > /tmp/page/records 2>&1 || true # It ends at the last record.
  grep -q rmgr /tmp/page/records
  as_postgres "$bin/pg_ctl" -D $data -w -m immediate stop
  tailwater stop-the-agent
}
