package dev.tailwater.store.datafile.recovery;

import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.file.DataFiles;
import dev.tailwater.store.datafile.format.RecordHeader;
import dev.tailwater.store.datafile.index.EntryBatch;
import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.index.Location;
import dev.tailwater.store.datafile.index.PartitionDraft;
import dev.tailwater.store.datafile.index.TagIndex;
import dev.tailwater.store.datafile.read.ReadBuffer;
import dev.tailwater.store.datafile.read.RecordFetcher;
import dev.tailwater.store.datafile.write.Publisher;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The replay of records into the index, in the order in which they were written, while the store is
 * opened.
 *
 * <p>Two records with the same hash are of the same key, unless the later one is marked as
 * colliding with another key, or the index has several locations for the hash; then the keys are
 * read and compared.
 *
 * <p>Records are collected, and applied one partition of the index after the other. Those of the
 * same hash stay in order.
 */
final class IndexReplay {
  /** Number of records that are collected at least, outside the Java heap: 96 MiB. */
  private static final long MIN_MAX_WAITING = 6 * 1024 * 1024;

  private static final int MAX_WAITING_TAGS = 8 * 1024;

  private record WaitingTag(String text, long hash, long sequence) {}

  private final Index index;
  private final TagIndex tagIndex;
  private final Publisher publisher;
  private final RecordFetcher fetcher;
  private final EntryBatch waiting;
  private final PartitionDraft draft;
  private final DataFiles files;

  /** For each file number, live units that were not added to the file yet. */
  private final long[] liveUnits;

  private long maxWaiting = MIN_MAX_WAITING;
  private final ReadBuffer buffer = new ReadBuffer();
  private long[] same = new long[4];
  private final List<WaitingTag> waitingTags = new ArrayList<>();

  /** Hashes that several keys had at some point. */
  private final Set<Long> shared = new HashSet<>();

  IndexReplay(
      Index index, TagIndex tagIndex, DataFiles files, Publisher publisher, RecordFetcher fetcher) {
    this.files = files;
    int lastNumber = 0;
    for (DataFile file : files.inOrder()) {
      lastNumber = Math.max(lastNumber, file.number());
    }
    this.liveUnits = new long[lastNumber + 1];
    this.index = index;
    this.tagIndex = tagIndex;
    this.publisher = publisher;
    this.fetcher = fetcher;
    this.waiting = new EntryBatch(index);
    this.draft = new PartitionDraft(index);
  }

  /** Adds an index tag of a record, after that record. */
  void indexTag(String indexTag, long hash, long sequence) throws IOException {
    waitingTags.add(new WaitingTag(indexTag, hash, sequence));
    if (waitingTags.size() >= MAX_WAITING_TAGS) {
      finish();
    }
  }

  /** Applies an index tag, after all earlier records, so that colliding hashes are known. */
  private void put(WaitingTag indexTag) {
    if (shared.contains(indexTag.hash) || index.find(indexTag.hash) == Index.SEVERAL) {
      tagIndex.add(indexTag.text, indexTag.hash, indexTag.sequence);
    } else {
      tagIndex.put(indexTag.text, indexTag.hash, indexTag.sequence);
    }
  }

  /** Adds the next record, which is in the index at the latest after {@link #finish}. */
  void add(long hash, int flags, long location) throws IOException {
    waiting.add(hash, flags, location);
    if (waiting.size() >= maxWaiting) {
      finish();
    }
  }

  /** Applies everything that was collected. */
  void finish() throws IOException {
    waiting.drain(this::apply);
    // As many as take half as much memory as the index.
    maxWaiting = Math.max(maxWaiting, index.size() / 2);
    for (WaitingTag indexTag : waitingTags) {
      put(indexTag);
    }
    waitingTags.clear();
  }

  private void apply(int partition, long[] words, int entries) throws IOException {
    if (hasColliding(words, entries) || !draft.begin(partition, entries)) {
      for (int i = 0; i < 2 * entries; i += 2) {
        long hash = EntryBatch.hash(partition, words[i]);
        apply(hash, EntryBatch.flags(words[i]), words[i + 1]);
      }
      return;
    }
    for (int i = 0; i < 2 * entries; i += 2) {
      long hash = EntryBatch.hash(partition, words[i]);
      long location = words[i + 1];
      if ((EntryBatch.flags(words[i]) & RecordHeader.REMOVE) != 0) {
        died(draft.remove(hash));
      } else {
        died(draft.put(hash, location));
        liveUnits[Location.file(location)] += DataFile.unitsOf(location);
      }
    }
    draft.finish();
    tellFiles();
  }

  private static boolean hasColliding(long[] words, int entries) {
    for (int i = 0; i < 2 * entries; i += 2) {
      if ((EntryBatch.flags(words[i]) & RecordHeader.COLLIDES) != 0) {
        return true;
      }
    }
    return false;
  }

  private void died(long location) {
    if (location != Location.NONE) {
      liveUnits[Location.file(location)] -= DataFile.unitsOf(location);
    }
  }

  private void tellFiles() {
    for (DataFile file : files.inOrder()) {
      file.addedBefore(0, 0, liveUnits[file.number()]);
      liveUnits[file.number()] = 0;
    }
  }

  private void apply(long hash, int flags, long location) throws IOException {
    boolean isPlain = (flags & (RecordHeader.COLLIDES | RecordHeader.REMOVE)) == 0;
    if (!isPlain || !publisher.moveIf(hash, Location.NONE, location)) {
      applyToThose(hash, flags, location);
    }
  }

  /** As {@link #apply}, when other records may have this hash. */
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
