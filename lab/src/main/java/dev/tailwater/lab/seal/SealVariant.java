package dev.tailwater.lab.seal;

import dev.tailwater.lab.measure.Effort;
import java.util.ArrayList;
import java.util.List;

/**
 * One way to seal.
 *
 * @param codec as in tailwater.yaml, {@code zstd:1}
 */
record SealVariant(String codec, boolean encrypted) {
  static List<SealVariant> of(Effort effort) {
    List<String> codecs =
        effort.pick(
            List.of("store", "zstd:1", "zstd:3", "zstd:6", "gzip:1", "gzip:6"),
            List.of("store", "zstd:1", "zstd:2", "zstd:3", "zstd:6", "zstd:9", "gzip:1", "gzip:6"),
            List.of(
                "store", "zstd:1", "zstd:2", "zstd:3", "zstd:4", "zstd:6", "zstd:9", "zstd:12",
                "zstd:15", "zstd:19", "gzip:1", "gzip:3", "gzip:6", "gzip:9"));
    List<SealVariant> variants = new ArrayList<>();
    for (String codec : codecs) {
      variants.add(new SealVariant(codec, false));
      variants.add(new SealVariant(codec, true));
    }
    return variants;
  }

  String encryptionInWords() {
    return encrypted ? "age" : "none";
  }

  @Override
  public String toString() {
    return codec + (encrypted ? ", encrypted" : "");
  }
}
