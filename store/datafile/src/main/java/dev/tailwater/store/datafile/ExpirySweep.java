package dev.tailwater.store.datafile;

import dev.tailwater.store.Entry;
import dev.tailwater.store.datafile.file.Background;
import dev.tailwater.store.datafile.file.IndexTags;
import dev.tailwater.store.datafile.index.EntryBuffer;
import dev.tailwater.store.datafile.index.TagIndex;
import dev.tailwater.store.datafile.read.DataSnapshot;
import dev.tailwater.store.datafile.read.Snapshots;
import dev.tailwater.store.datafile.write.WriteSide;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The removal of expired entries, so that neither memory nor files keep them: in the background
 * about a minute after they expire, when something is written, and on request. A removal is a
 * record like any other; nothing depends on when it becomes durable. Thread-safe.
 */
final class ExpirySweep {
  /** Entries that are read before they are removed. */
  private static final int ENTRIES_AT_ONCE = 256;

  private final TagIndex tagIndex;
  private final Background background;
  private final Snapshots snapshots;
  private final WriteSide writes;
  private final InstantSource clock;
  private final AtomicInteger purging = new AtomicInteger();
  private final AtomicLong nextMillis = new AtomicLong();

  ExpirySweep(
      TagIndex tagIndex,
      Background background,
      Snapshots snapshots,
      WriteSide writes,
      InstantSource clock) {
    this.tagIndex = tagIndex;
    this.background = background;
    this.snapshots = snapshots;
    this.writes = writes;
    this.clock = clock;
  }

  /** Called after each write: starts a sweep if one is due and anything may expire. */
  void wake() {
    if (!tagIndex.isUsed() || purging.get() > 0) {
      return;
    }
    long now = clock.millis();
    long next = nextMillis.get();
    if (now >= next && nextMillis.compareAndSet(next, IndexTags.endOfSpanMillis(now))) {
      // Only spans that have passed, so that no record is read that has not expired.
      background.run(() -> sweep(IndexTags.ofExpiry(now)));
    }
  }

  private void sweep(String before) throws IOException {
    try {
      remove(before, Long.MAX_VALUE, entry -> {});
    } catch (IllegalStateException ended) {
      if (snapshots.whyClosed() == null) {
        throw ended;
      }
      // The store is being closed; what is left is found when it has been opened again.
    }
  }

  /** As {@link dev.tailwater.store.KeyValueStore#purgeExpired(long, Consumer)}. */
  long purge(long limit, Consumer<Entry> action) throws IOException {
    purging.incrementAndGet(); // so that all of it goes by here
    try {
      return remove(IndexTags.behind(IndexTags.ofExpiry(clock.millis())), limit, action);
    } finally {
      purging.decrementAndGet();
    }
  }

  private long remove(String before, long limit, Consumer<Entry> action) throws IOException {
    EntryBuffer pairs = new EntryBuffer(ENTRIES_AT_ONCE);
    String indexTag = "";
    String wanted = IndexTags.firstExpiry();
    long fromHash = 0;
    long removed = 0;
    while (removed < limit) {
      List<Entry> expired;
      try (DataSnapshot snapshot = snapshots.take()) {
        Optional<String> found = tagIndex.firstFrom(wanted);
        if (found.isEmpty() || found.get().compareTo(before) >= 0) {
          break;
        }
        if (!found.get().equals(indexTag)) {
          indexTag = found.get();
          fromHash = 0;
        }
        expired = snapshot.expired(indexTag, fromHash, pairs);
      }
      for (Entry entry : expired) {
        if (removed < limit && writes.removeExpired(entry.key(), entry.version())) {
          removed++;
          action.accept(entry);
        }
      }
      fromHash = pairs.isAtEnd() ? 0 : pairs.nextHash();
      wanted = pairs.isAtEnd() ? IndexTags.behind(indexTag) : indexTag;
    }
    return removed;
  }
}
