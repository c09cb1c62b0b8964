mkdir -p /etc/hadoop/conf
