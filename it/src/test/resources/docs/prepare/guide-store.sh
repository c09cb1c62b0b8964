echo '{"key":"greeting","value":"hello"}' | tailwater store import OLD
