tar xzf tailwater-0.1.0.tar.gz -C /opt
