# Sourced by packaging/build: bills of materials in the format CycloneDX. Those of the JARs, with licences and hashes,
# come from Maven; zstd-jni's JAR has fewer files than Maven's and picocli's is compiled anew, so their hashes differ.

describe_contents() {
  say "the bills of materials ..."
  "$root/mvnw" -B -q org.cyclonedx:cyclonedx-maven-plugin:2.9.1:makeBom -pl cli,destination/s3,destination/gcs,destination/azure,destination/hdfs,lab \
    -DincludeTestScope=false -DincludeProvidedScope=false -DincludeBomSerialNumber=false -DoutputFormat=json \
    -DoutputName=bom > "$target/work/bom.log" 2>&1 < /dev/null || {
    tail -n 20 "$target/work/bom.log" >&2
    exit 1
  }
  cp "$root/cli/target/bom.json" "$target/packages/tailwater-$version.cdx.json"
  cp "$root/destination/s3/target/bom.json" "$target/packages/tailwater-s3-$version.cdx.json"
  cp "$root/destination/gcs/target/bom.json" "$target/packages/tailwater-gs-$version.cdx.json"
  cp "$root/destination/azure/target/bom.json" "$target/packages/tailwater-az-$version.cdx.json"
  cp "$root/destination/hdfs/target/bom.json" "$target/packages/tailwater-hdfs-$version.cdx.json"
  cp "$root/lab/target/bom.json" "$target/packages/tailwater-lab-$version.cdx.json"
  describe_base > "$target/packages/tailwater-$version-linux-$debian_arch-base.cdx.json"
}

java_property() { "$jdk/bin/java" -XshowSettings:properties -version 2>&1 | sed -n "s/^ *$1 = //p"; }

# What is not from Maven: the Java runtime and, if the image was made, the packages of Debian in it.
describe_base() {
  java_version=$(java_property java.runtime.version)
  printf '{"bomFormat":"CycloneDX","specVersion":"1.6","version":1,"components":[\n'
  printf '{"type":"platform","name":"openjdk","version":"%s","publisher":"%s","cpe":"cpe:2.3:a:oracle:openjdk:%s:*:*:*:*:*:*:*","licenses":[{"license":{"id":"GPL-2.0-with-classpath-exception"}}]}' \
    "$java_version" "$(java_property java.vendor)" "$(java_property java.version)"
  if [ -s "$target/work/base-packages" ]; then
    while read -r name package_version sha256; do
      printf ',\n{"type":"library","name":"%s","version":"%s","purl":"pkg:deb/debian/%s@%s?arch=%s","hashes":[{"alg":"SHA-256","content":"%s"}]}' \
        "$name" "$package_version" "$name" "$(printf %s "$package_version" | sed 's/:/%3A/; s/+/%2B/g')" "$debian_arch" "$sha256"
    done < "$target/work/base-packages"
  fi
  printf '\n]}\n'
}
