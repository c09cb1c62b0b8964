cp /etc/tailwater/recipients.txt .
mkdir -p ~/.local/state /var/lib && ln -s ~/.local/state/tailwater /var/lib/tailwater
