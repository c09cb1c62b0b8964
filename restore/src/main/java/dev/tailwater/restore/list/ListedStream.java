package dev.tailwater.restore.list;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.restore.StoredSegment;
import java.util.ArrayList;
import java.util.List;

/** One stream during a listing: what the object names say, before anything is opened. */
final class ListedStream {
  final ArchiveObject.Stream name;
  final List<StoredSegment> segments = new ArrayList<>();
  final List<ByteRange> gaps = new ArrayList<>();
  boolean hasRecord;
  long recordModifiedMillis;

  ListedStream(ArchiveObject.Stream name) {
    this.name = name;
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
