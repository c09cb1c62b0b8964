package dev.tailwater.restore.compact;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.pack.PackedStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The segments of one agent, as they were listed. Kept this small because there may be millions:
 * their names follow from what is kept and from their streams. For one thread.
 */
final class StoredSegments {
  private static final Codec ZSTD = new Codec.Zstd(1);
  private static final Codec GZIP = new Codec.Gzip(1);

  private final Map<String, List<Stored>> byPrefix = new HashMap<>();

  /** A segment of a listing. */
  record Stored(ByteRange range, boolean gzip, boolean encrypted) {}

  void add(ArchiveObject.Segment segment) {
    byPrefix
        .computeIfAbsent(segment.streamPrefix(), any -> new ArrayList<>(1))
        .add(new Stored(segment.range(), segment.gzip(), segment.encrypted()));
  }

  /** Returns the segments of a stream, in no order. */
  List<Stored> of(String streamPrefix) {
    return byPrefix.getOrDefault(streamPrefix, List.of());
  }

  /** Returns the name of a segment of a stream that packs describe. */
  static ArchiveObject.Segment name(String agent, PackedStream stream, Stored segment) {
    String prefix = ArchiveNames.streamPrefix(agent, stream.birthPath(), stream.stream());
    String key =
        ArchiveNames.segment(
            prefix, segment.range(), segment.gzip() ? GZIP : ZSTD, segment.encrypted());
    return new ArchiveObject.Segment(
        key,
        agent,
        stream.birthPath(),
        false,
        stream.stream(),
        prefix,
        segment.range(),
        segment.gzip(),
        segment.encrypted());
  }
}
