package dev.tailwater.store.datafile.read;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.index.Location;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * A cache of hot records on the Java heap, for when the page cache does not have them. It is
 * bounded by bytes, and admits a record only if it is read more often than what it would evict
 * (W-TinyLFU). A record in a file never changes, so only the records of files that are gone are
 * invalidated. Thread-safe.
 *
 * @see <a href="https://arxiv.org/abs/1512.00727">TinyLFU: A Highly Efficient Cache Admission
 *     Policy</a>
 */
public final class ValueCache {
  /** Entry, key, and array header. */
  private static final int OVERHEAD_BYTES = 136;

  /** A record longer than one part of this many of the cache is not cached. */
  private static final int SMALLEST_PART = 256;

  /**
   * Reads that are remembered: one for this many bytes of the cache, and at most {@link
   * #MAX_READS}.
   */
  private static final int BYTES_PER_READ = 64;

  private static final int MAX_READS = 1 << 20;

  /** 2 to the power of 64, divided by the golden ratio: spreads values that differ in few bits. */
  private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

  /** The place of a record. Names the file itself, because its number may be reused. */
  private record Place(DataFile file, long location) {}

  private final long maxBytes;

  /** Created for the first record: loading its code takes a third of the time of an opening. */
  private volatile @Nullable Cache<Place, byte[]> records;

  private final int maxRecordBytes;

  /**
   * For each slot a byte of the hash of a record that was read; threads may overwrite each other's.
   */
  private final byte[] lastRead;

  public ValueCache(long maxBytes) {
    this.maxBytes = maxBytes;
    this.maxRecordBytes = (int) Math.min(maxBytes / SMALLEST_PART, ReadBuffer.KEPT_BYTES);
    int remembered = (int) Math.min(maxBytes / BYTES_PER_READ, MAX_READS);
    this.lastRead = new byte[Math.max(1, Integer.highestOneBit(remembered))];
  }

  private Cache<Place, byte[]> made() {
    Cache<Place, byte[]> made = records;
    return made != null ? made : make();
  }

  private synchronized Cache<Place, byte[]> make() {
    Cache<Place, byte[]> made = records;
    if (made == null) {
      made =
          Caffeine.newBuilder()
              .maximumWeight(maxBytes)
              .weigher((Place place, byte[] record) -> OVERHEAD_BYTES + record.length)
              .executor(Runnable::run)
              .build();
      records = made;
    }
    return made;
  }

  /** Copies a record to the beginning of the buffer; returns 0 when it is not cached. */
  int read(DataFile file, long location, int lengthBytes, ReadBuffer into) {
    Cache<Place, byte[]> made = records;
    if (made == null || lengthBytes > maxRecordBytes + Location.LENGTH_UNIT_BYTES) {
      return 0;
    }
    byte @Nullable [] record = made.getIfPresent(new Place(file, location));
    if (record == null) {
      return 0;
    }
    int length = Math.min(record.length, lengthBytes);
    MemorySegment target = into.ofSize(length).memory();
    MemorySegment.copy(record, 0, target, ValueLayout.JAVA_BYTE, 0, length);
    return length;
  }

  /** Offers a record that was just read, and {@link #wasReadRecently}. */
  void show(DataFile file, long location, MemorySegment memory, int from, int lengthBytes) {
    if (lengthBytes > maxRecordBytes) {
      return;
    }
    Cache<Place, byte[]> all = made();
    Place place = new Place(file, location);
    if (all.getIfPresent(place) == null) { // which counts, and so helps it to be taken
      MemorySegment record = memory.asSlice(from, lengthBytes);
      all.put(place, record.toArray(ValueLayout.JAVA_BYTE));
    }
  }

  /**
   * Notes a read; returns whether the record was read recently. Only such a record is offered to
   * the cache; so a rarely read one, out of many more than fit, costs a look at one byte.
   */
  boolean wasReadRecently(DataFile file, long location) {
    int mixed = (int) ((location * MIX + System.identityHashCode(file) * MIX) >>> Integer.SIZE);
    int slot = (mixed >>> Byte.SIZE) & (lastRead.length - 1);
    boolean was = lastRead[slot] == (byte) mixed;
    lastRead[slot] = (byte) mixed;
    return was;
  }

  /** The file is gone. */
  void forget(DataFile file) {
    Cache<Place, byte[]> made = records;
    if (made != null) {
      made.asMap().keySet().removeIf(place -> place.file() == file);
    }
  }

  long entries() {
    Cache<Place, byte[]> made = records;
    return made == null ? 0 : made.estimatedSize();
  }

  /** Returns about how much heap it takes. */
  long sizeBytes() {
    Cache<Place, byte[]> made = records;
    if (made == null) {
      return 0;
    }
    return made.policy().eviction().stream().mapToLong(e -> e.weightedSize().orElse(0)).sum();
  }
}
