package dev.tailwater.store.datafile.format;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.datafile.index.Location;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A reader of what a {@link HintWriter} wrote: searches all blocks for the last one that says what
 * was durable, then visits the records before that. Used by one thread.
 */
final class HintReader {
  private static final int COVERED_LONGS = 4;

  private final BlockReader in;
  private final HintVisitor visitor;

  /** Of the present block of records. */
  private final long[] words = new long[BlockWriter.MAX_CONTENT_BYTES / Long.BYTES];

  private int next;
  private int count;
  private long records;
  private long units;

  private HintReader(BlockReader in, HintVisitor visitor) {
    this.in = in;
    this.visitor = visitor;
  }

  /** In the first block. */
  static Optional<HintSummary> read(
      BlockReader in, Predicate<HintSummary> acceptance, HintVisitor visitor) throws IOException {
    Optional<HintSummary> covered = covered(in).filter(acceptance);
    in.rewind();
    if (covered.isEmpty()) {
      return Optional.empty();
    }
    HintSummary said = covered.get();
    HintReader reader = new HintReader(in, visitor);
    boolean isHint = reader.visit(said.dataBytes());
    in.rewind(); // damage after the last covered record does not matter
    return isHint
        ? Optional.of(
            new HintSummary(
                said.dataSalt(),
                said.dataBytes(),
                said.sealed(),
                said.lastSequence(),
                reader.records,
                reader.units))
        : Optional.empty();
  }

  /** The last that was said of the data file, in front of whatever is wrong. */
  private static Optional<HintSummary> covered(BlockReader in) throws ErrnoException {
    Optional<HintSummary> last = Optional.empty();
    do {
      if (in.kind() == BlockKind.COVERED) {
        if (in.remaining() != COVERED_LONGS) {
          return last;
        }
        long salt = in.nextLong();
        long endBytes = in.nextLong();
        long sequence = in.nextLong();
        boolean sealed = in.nextLong() == 1;
        if (endBytes < FileHeader.LENGTH_BYTES || sequence < 0) {
          return last;
        }
        last = Optional.of(new HintSummary(salt, endBytes, sealed, sequence, 0, 0));
      } else if (in.kind() != BlockKind.RECORDS) {
        return last;
      }
    } while (in.next());
    return last;
  }

  /** False when that is no hint. */
  private boolean visit(long endBytes) throws IOException {
    long lastOffset = 0;
    while (has()) {
      long hash = words[next++];
      if (!has()) {
        return false;
      }
      long word = words[next++];
      long offset = Location.offsetBytes(word);
      if (offset >= endBytes) {
        return true;
      }
      int flags = Location.file(word) & ~HintWriter.PRESENT;
      if (offset <= lastOffset || flags > RecordHeader.ALL_FLAGS) {
        return false;
      }
      lastOffset = offset;
      records++;
      int stored = (int) (word & (Location.LENGTH_UNITS_LIMIT - 1));
      units += stored == 0 ? Location.LENGTH_UNITS_LIMIT : stored;
      visitor.record(hash, flags, word);
      boolean tagged = (flags & (RecordHeader.EXPIRY | RecordHeader.TAGS)) != 0;
      if (tagged && !visitLabels(hash)) {
        return false;
      }
    }
    return true;
  }

  private boolean visitLabels(long hash) throws IOException {
    long[] fields = new long[3];
    for (int i = 0; i < fields.length; i++) {
      if (!has()) {
        return false;
      }
      fields[i] = words[next++];
    }
    long tagBytes = fields[2];
    if (tagBytes < 0 || tagBytes > WriteOptions.MAX_TAG_BYTES) {
      return false;
    }
    ByteBuffer tags =
        ByteBuffer.allocate(HintWriter.tagWords((int) tagBytes) * Long.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    while (tags.hasRemaining()) {
      if (!has()) {
        return false;
      }
      tags.putLong(words[next++]);
    }
    visitor.indexTags(hash, fields[0], Arrays.copyOf(tags.array(), (int) tagBytes), fields[1]);
    return true;
  }

  /** Whether a word follows, which is in {@link #words} then. */
  private boolean has() throws ErrnoException {
    while (next == count) {
      boolean inBlock = in.kind() == BlockKind.RECORDS && in.remaining() > 0;
      if (!inBlock && !in.next()) {
        return false;
      }
      count = in.kind() == BlockKind.RECORDS ? in.nextLongs(words, words.length) : 0;
      next = 0;
    }
    return true;
  }
}
