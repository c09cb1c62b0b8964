tar xzf tailwater-0.1.0.tar.gz -C /opt
ln -s tailwater-0.1.0 /opt/tailwater
# What packaging/build calls it; it has a Java runtime besides.
ln -s tailwater-lab-0.1.0.tar.gz tailwater-lab-0.1.0-linux-amd64.tar.gz
