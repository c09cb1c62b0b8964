cp /etc/tailwater/recipients.txt .
mkdir -p ~/.local/state /var/lib && ln -s ~/.local/state/tailwater /var/lib/tailwater
/usr/lib/tailwater-under-test/bin/tailwater keygen --signing -o /tmp/compactor.key 2>&1 |
  sed 's/^Public key:/compactor night/' > /etc/tailwater/trusted.txt
