package dev.tailwater.it;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** What a {@link DrillWriter} said it had written, kept outside the machine that died. */
final class WriteJournal {
  private final List<Write> writes = new ArrayList<>();

  /** A write that had returned: the file was so long then. */
  private record Write(long file, long lengthBytes, long atNanos) {}

  /** Reads all of it; half a record at the end is no record. */
  static WriteJournal read(Path file) throws IOException {
    WriteJournal journal = new WriteJournal();
    ByteBuffer said = ByteBuffer.wrap(Files.readAllBytes(file));
    while (said.remaining() >= DrillWriter.RECORD_BYTES) {
      journal.writes.add(new Write(said.getLong(), said.getLong(), said.getLong()));
    }
    return journal;
  }

  /** How long each file was at that time, by the writes that had returned by then. */
  Map<Long, Long> lengthsAt(long nanos) {
    Map<Long, Long> lengths = new HashMap<>();
    for (Write write : writes) {
      if (write.atNanos() - nanos <= 0) {
        lengths.put(write.file(), write.lengthBytes());
      }
    }
    return lengths;
  }

  /** How long each file was at last. */
  Map<Long, Long> lengths() {
    return lengthsAt(writes.getLast().atNanos());
  }

  /** When more bytes than these had been written; empty when that has never been. */
  OptionalLong exceededNanos(long bytes) {
    Map<Long, Long> lengths = new HashMap<>();
    long sum = 0;
    for (Write write : writes) {
      Long before = lengths.put(write.file(), write.lengthBytes());
      sum += write.lengthBytes() - (before == null ? 0 : before);
      if (sum > bytes) {
        return OptionalLong.of(write.atNanos());
      }
    }
    return OptionalLong.empty();
  }
}
