# Where the Python packages of docs/site/requirements.txt are, in $venv: outside of the clone, and new for each version.
key=$(cat docs/site/requirements.txt | sha256sum | cut -c1-12)
venv=${XDG_CACHE_HOME:-$HOME/.cache}/tailwater/docs-$key
