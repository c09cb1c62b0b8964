# needs: sqlite3
finish() {
  tailwater stop-the-agent
  sqlite3 "$(ls /var/tmp/restored/var/spool/sqlite/app.db.* | tail -n 1)" 'select word from greeting' | grep -qx hello
}
