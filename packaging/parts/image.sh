# Sourced by packaging/build: a container image in the layout of OCI, as a tar file that podman, docker, ctr and skopeo
# load. Its first layer is what the runtime needs of Debian, the others are trees of packages. No daemon, no registry.

user_id=65532 # as other images without root have it

# Fails, and says why, where an image cannot be made. Everything after that must succeed.
fetch_base_packages() {
  for program_name in apt-get dpkg-deb; do
    if ! command -v "$program_name" > /dev/null 2>&1; then
      say "the image takes the C library and a shell from packages of Debian; $program_name is missing"
      return 1
    fi
  done
  debs=$target/work/debs
  mkdir -p "$debs"
  (cd "$debs" && apt-get -qq -o APT::Sandbox::User=root download libc6 libc-bin busybox > "$target/work/apt.log" 2>&1) || {
    cat "$target/work/apt.log" >&2
    say "packages of Debian could not be downloaded"
    echo "Hint: apt-get update" >&2
    return 1
  }
}

make_image() {
  say "the image ..."
  layers=$target/work/layers layout=$target/work/layout
  mkdir -p "$layers" "$layout/blobs/sha256"
  make_base_tree "$layers/base"
  mkdir -p "$layers/runtime/$opt" "$layers/program/$opt" "$layers/s3"
  cp -a "$home/runtime" "$layers/runtime/$opt"
  (cd "$home" && tar --exclude ./runtime -cf - .) | tar -C "$layers/program/$opt" -xf -
  cp -a "$target/tree/s3/opt" "$layers/s3"

  layer_descriptors='' diff_ids=''
  for layer in base runtime program s3; do add_layer "$layer"; done
  add_blob "$(image_configuration)"
  config=$descriptor
  add_blob "{\"schemaVersion\":2,\"mediaType\":\"application/vnd.oci.image.manifest.v1+json\",\"config\":{\"mediaType\":\"application/vnd.oci.image.config.v1+json\",$config},\"layers\":[$layer_descriptors]}"
  printf '{"imageLayoutVersion":"1.0.0"}' > "$layout/oci-layout"
  printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[{"mediaType":"application/vnd.oci.image.manifest.v1+json",%s,"platform":{"architecture":"%s","os":"linux"},"annotations":{"io.containerd.image.name":"localhost/tailwater:%s","org.opencontainers.image.ref.name":"localhost/tailwater:%s"}}]}' \
    "$descriptor" "$debian_arch" "$version" "$version" > "$layout/index.json"
  settle "$layout"
  tar --sort=name --format=gnu --owner=0 --group=0 --numeric-owner -C "$layout" \
    -cf "$target/packages/tailwater-$version-linux-$debian_arch.oci.tar" blobs index.json oci-layout
}

# The C library and a shell for the launcher and for hooks, with their licences; no package manager, nothing set-uid.
make_base_tree() { # DIRECTORY
  base=$1
  : > "$target/work/base-packages"
  for deb in "$debs"/*.deb; do
    name=$(dpkg-deb -f "$deb" Package)
    dpkg-deb -x "$deb" "$debs/$name"
    echo "$name $(dpkg-deb -f "$deb" Version) $(sha256sum "$deb" | cut -d ' ' -f 1)" >> "$target/work/base-packages"
    mkdir -p "$base/usr/share/doc/$name"
    cp -L "$debs/$name/usr/share/doc/$name/copyright" "$base/usr/share/doc/$name"
  done
  mkdir -p "$base/usr/bin" "$base/usr/lib" "$base/etc" "$base/tmp" "$base/proc" "$base/sys" "$base/dev" \
    "$base/var/lib/tailwater" "$base/usr/lib/locale"
  ln -s usr/bin "$base/bin"
  ln -s usr/lib "$base/lib"
  loader=$(find "$debs/libc6" -name 'ld-linux-*.so.*' ! -type l)
  libraries=$(dirname "$loader")
  multiarch=${libraries##*/}
  mkdir -p "$base/usr/lib/$multiarch"
  # The loader's path is in every binary: /lib64 on x86-64, /lib on others.
  case "$debian_arch" in amd64) loader_directory=usr/lib64; ln -s usr/lib64 "$base/lib64" ;; *) loader_directory=usr/lib ;; esac
  mkdir -p "$base/$loader_directory"
  ln -s "/usr/lib/$multiarch/$(basename "$loader")" "$base/$loader_directory/$(basename "$loader")"
  for library in "$(basename "$loader")" libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1 libresolv.so.2 \
    libnss_dns.so.2 libnss_files.so.2; do
    cp -L "$libraries/$library" "$base/usr/lib/$multiarch"
  done
  cp -R "$(find "$debs/libc-bin" -type d -name 'C.utf8')" "$base/usr/lib/locale"
  for library in $(foreign_libraries "$home/runtime"); do
    [ -e "$base/usr/lib/$multiarch/$library" ] || {
      say "the Java of $jdk needs $library, which is not in the image"
      echo "Hint: use Temurin 25, which needs the C library alone (TAILWATER_JAVA_HOME)" >&2
      exit 1
    }
  done
  cp "$(find "$debs/busybox" -type f -name busybox -path '*bin*')" "$base/usr/bin/busybox"
  for applet in sh cat cp cut date df du echo env find grep head id kill ln ls mkdir mktemp mv printf ps readlink rm sed \
    sleep sort stat stty tail tar test touch tr true wc; do
    ln -s busybox "$base/usr/bin/$applet"
  done
  printf 'root:x:0:0:root:/:/bin/sh\ntailwater:x:%s:%s:Tailwater agent:/var/lib/tailwater:/bin/sh\n' $user_id $user_id > "$base/etc/passwd"
  printf 'root:x:0:\ntailwater:x:%s:\n' $user_id > "$base/etc/group"
  printf 'hosts: files dns\n' > "$base/etc/nsswitch.conf"
  printf 'ID=tailwater\nNAME=Tailwater\nVERSION_ID=%s\nPRETTY_NAME="Tailwater %s on packages of Debian"\n' "$version" "$version" > "$base/etc/os-release"
}

add_layer() { # NAME: adds target/work/layers/NAME to layer_descriptors and diff_ids
  settle "$layers/$1"
  raw=$target/work/$1.tar
  # The names of a layer are relative, without a leading ./
  (cd "$layers/$1" && find . -mindepth 1 | sed 's/^\.\///' | sort > "$target/work/$1.list")
  tar --format=gnu --owner=0 --group=0 --numeric-owner --no-recursion -C "$layers/$1" -cf "$raw" -T "$target/work/$1.list"
  if [ "$1" = base ]; then own_directories "$raw"; fi
  diff_ids=${diff_ids:+$diff_ids,}\"sha256:$(sha256sum "$raw" | cut -d ' ' -f 1)\"
  gzip -n -9 -c "$raw" > "$target/work/blob"
  keep_blob
  layer_descriptors=${layer_descriptors:+$layer_descriptors,}'{"mediaType":"application/vnd.oci.image.layer.v1.tar+gzip",'$descriptor'}'
}

own_directories() { # TAR: the two directories that the agent may write to
  rmdir "$layers/base/tmp" "$layers/base/var/lib/tailwater"
  tar --delete -f "$1" tmp var/lib/tailwater
  mkdir -m 1777 "$layers/base/tmp"
  mkdir -m 0700 "$layers/base/var/lib/tailwater"
  touch -d "@$epoch_seconds" "$layers/base/tmp" "$layers/base/var/lib/tailwater"
  tar --format=gnu --owner=0 --group=0 --numeric-owner --no-recursion -C "$layers/base" -rf "$1" tmp
  tar --format=gnu --owner=$user_id --group=$user_id --numeric-owner --no-recursion -C "$layers/base" -rf "$1" var/lib/tailwater
}

add_blob() { # TEXT
  printf '%s' "$1" > "$target/work/blob"
  keep_blob
}

keep_blob() { # moves target/work/blob into the layout; sets $descriptor
  digest=$(sha256sum "$target/work/blob" | cut -d ' ' -f 1)
  descriptor="\"digest\":\"sha256:$digest\",\"size\":$(stat -c %s "$target/work/blob")"
  mv "$target/work/blob" "$layout/blobs/sha256/$digest"
}

# Healthcheck is not OCI's but Docker's, which reads it in images of both kinds; podman wants --health-cmd.
image_configuration() {
  printf '%s' '{"created":"'"$timestamp"'","architecture":"'"$debian_arch"'","os":"linux","config":{' \
    '"User":"'"$user_id:$user_id"'","WorkingDir":"/","Entrypoint":["tailwater"],"Cmd":["--help"],' \
    '"Env":["PATH=/opt/tailwater/bin:/usr/bin","LANG=C.UTF-8","STATE_DIRECTORY=/var/lib/tailwater"],' \
    '"Volumes":{"/var/lib/tailwater":{}},"StopSignal":"SIGTERM",' \
    '"Healthcheck":{"Test":["CMD-SHELL","tailwater status --json | grep -q '"'"'\"running\": true'"'"'"],' \
    '"Interval":60000000000,"Timeout":10000000000,"StartPeriod":30000000000,"Retries":3},' \
    '"Labels":{"org.opencontainers.image.title":"tailwater","org.opencontainers.image.version":"'"$version"'",' \
    '"org.opencontainers.image.licenses":"Apache-2.0"}},' \
    '"rootfs":{"type":"layers","diff_ids":['"$diff_ids"']},' \
    '"history":[{"created":"'"$timestamp"'","created_by":"the C library and busybox of Debian"},' \
    '{"created":"'"$timestamp"'","created_by":"the Java runtime"},' \
    '{"created":"'"$timestamp"'","created_by":"the program"},' \
    '{"created":"'"$timestamp"'","created_by":"the plug-in for S3"}]}'
}
