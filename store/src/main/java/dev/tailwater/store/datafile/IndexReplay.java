package dev.tailwater.store.datafile;

import dev.tailwater.store.index.EntryBatch;
import dev.tailwater.store.index.Index;
import dev.tailwater.store.index.LabelIndex;
import dev.tailwater.store.index.Location;
import dev.tailwater.store.segment.RecordHeader;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Puts records into the index in the order in which they were written, while the store is opened.
 *
 * <p>Two records with the same hash are of the same key, unless the later one says that another key
 * with this hash was there when it was written, or the index has several: then the keys are read
 * and compared.
 *
 * <p>Records wait until there are many, and are applied one partition of the index after the other.
 * Those of the same hash stay in order.
 */
final class IndexReplay {
  /** So many wait for one another: some MiB, and of each partition about two thousand. */
  private static final int MAX_WAITING = 512 * 1024;

  private final Index index;
  private final LabelIndex labels;
  private final Publisher publisher;
  private final RecordFetcher fetcher;
  private final EntryBatch waiting;
  private final ReadBuffer buffer = new ReadBuffer();
  private long[] same = new long[4];
  private int waitingPartition;

  /** Hashes that several keys had at some time. */
  private final Set<Long> shared = new HashSet<>();

  IndexReplay(Index index, LabelIndex labels, Publisher publisher, RecordFetcher fetcher) {
    this.index = index;
    this.labels = labels;
    this.publisher = publisher;
    this.fetcher = fetcher;
    this.waiting = new EntryBatch(index, RecordHeader.REMOVE);
  }

  /** A record that one key of this hash has, or had: hints name labels behind all records. */
  void label(String label, long hash, long sequence) throws IOException {
    finish();
    if (shared.contains(hash) || index.find(hash) == Index.SEVERAL) {
      labels.add(label, hash, sequence);
    } else {
      labels.put(label, hash, sequence);
    }
  }

  /** The next record; is in the index at the latest when this is finished. */
  void add(long hash, int flags, long location) throws IOException {
    waiting.add(hash, flags, location);
    if (waiting.size() >= MAX_WAITING) {
      finish();
    }
  }

  /** The next record of many by ascending hash: those of one partition wait for one another. */
  void addAscending(long hash, int flags, long location) throws IOException {
    int partition = Index.partitionOf(hash);
    if (partition != waitingPartition) {
      finish();
      waitingPartition = partition;
    }
    waiting.add(hash, flags, location);
  }

  /** Puts all that wait into the index. */
  void finish() throws IOException {
    waiting.drain(this::apply);
  }

  private void apply(long hash, int flags, long location) throws IOException {
    boolean isPlain = (flags & (RecordHeader.COLLIDES | RecordHeader.REMOVE)) == 0;
    if (!isPlain || !publisher.moveIf(hash, Location.NONE, location)) {
      applyToThose(hash, flags, location);
    }
  }

  /** As {@link #apply}, where others may have this hash. */
  private void applyToThose(long hash, int flags, long location) throws IOException {
    int count = index.findAll(hash, same);
    while (count > same.length) {
      same = new long[2 * count];
      count = index.findAll(hash, same);
    }
    boolean keysMayDiffer = count > 1 || (flags & RecordHeader.COLLIDES) != 0;
    long from = count == 0 ? Location.NONE : same[0];
    if (keysMayDiffer) {
      shared.add(hash);
      from = ofSameKey(location, Arrays.copyOf(same, count));
    }
    boolean removes = (flags & RecordHeader.REMOVE) != 0;
    if (!removes || from != Location.NONE) {
      publisher.move(hash, from, removes ? Location.NONE : location);
    }
  }

  private long ofSameKey(long location, long[] candidates) throws IOException {
    if (fetcher.fetch(location, buffer) != RecordFetcher.Outcome.THERE) {
      throw fetcher.damaged(location, "the record is not as it was written");
    }
    byte[] key = buffer.bytes().key(0, buffer.header());
    for (long candidate : candidates) {
      if (fetcher.hasKey(candidate, key, buffer)) {
        return candidate;
      }
    }
    return Location.NONE;
  }
}
