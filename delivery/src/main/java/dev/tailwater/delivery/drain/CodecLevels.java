package dev.tailwater.delivery.drain;

import dev.tailwater.archive.Codec;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The codecs that a drain may choose from. All write the same file format, so that every reader of
 * the archive can read them. Stronger levels than these would be much slower for little gain.
 */
final class CodecLevels {
  private CodecLevels() {}

  /** Returns the codecs, fastest first; the configured one comes last if it is none of them. */
  static List<Codec> around(Codec told) {
    List<Codec> levels =
        told instanceof Codec.Gzip
            ? IntStream.of(1, 3, 6, 9).<Codec>mapToObj(Codec.Gzip::new).toList()
            : Stream.concat(
                    Stream.<Codec>of(new Codec.Store()),
                    IntStream.of(-5, 1, 3, 6, 9).<Codec>mapToObj(Codec.Zstd::new))
                .toList();
    return levels.contains(told)
        ? levels
        : Stream.concat(levels.stream(), Stream.of(told)).toList();
  }
}
