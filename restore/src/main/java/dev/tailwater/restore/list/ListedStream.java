package dev.tailwater.restore.list;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.StoredGap;
import dev.tailwater.restore.StoredSegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** One stream during a listing: what the object names say, before anything is opened. */
final class ListedStream {
  final ArchiveObject.Stream name;
  final List<StoredSegment> segments = new ArrayList<>();
  final List<ByteRange> gaps = new ArrayList<>();

  /** Ranges of which a pack says why they are missing. */
  final List<StoredGap> explained = new ArrayList<>();

  /** Replaced bytes that are not kept, of those that were there at the moment. */
  final List<Dropped> dropped = new ArrayList<>();

  /** What packs do not tell of the moment as of which the archive is read. */
  final List<Damage> untold = new ArrayList<>();

  /** Whether a pack of that moment mentions it. */
  boolean mentioned;

  private @Nullable PackedRecord packed;

  /** Says which pack says of bytes that they are not kept. */
  record Dropped(ByteRange range, String key, boolean encrypted) {}

  boolean hasRecord;

  /** When the record was signed, if that was checked. */
  OptionalLong recordSignedAtMillis = OptionalLong.empty();

  long recordModifiedMillis;

  ListedStream(ArchiveObject.Stream name) {
    this.name = name;
  }

  /** Returns what packs say of it, which is nothing at first. */
  PackedRecord packed() {
    if (packed == null) {
      packed = new PackedRecord(name.stream(), name.birthPath());
    }
    return packed;
  }

  /** Returns what packs say of it; empty when no pack mentions it. */
  Optional<PackedRecord> packedRecord() {
    return Optional.ofNullable(packed);
  }

  static ListedStream of(ArchiveObject object) {
    return new ListedStream(
        new ArchiveObject.Stream(
            ArchiveNames.streamObject(object.streamPrefix()),
            object.agent(),
            object.birthPath(),
            object.shortened(),
            object.stream(),
            object.streamPrefix()));
  }
}
