package dev.tailwater.delivery.merge;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Crc32cCombination;
import dev.tailwater.delivery.stream.StreamProgress;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What each stream has gathered in packs at one destination since its last long segment, and of
 * which streams that is enough for the next one. It is empty at the start of a run, and a stream
 * begins anew where its bytes in packs do not follow each other, are replaced, or it leaves memory:
 * what was gathered until then stays in packs. Thread-safe.
 */
final class GatherLedger implements MergePlans {
  /** The most streams, some megabytes; those that got nothing for longest stay in packs. */
  private static final int MAX_STREAMS = 50_000;

  /** A stream that ended with less than this part of a full segment stays in packs. */
  static final int WORTH_IT_PART = 16;

  /** So does one in fewer packs: a reader saves a request for each. */
  static final int WORTH_IT_PACKS = 16;

  private final LongSupplier mergeToBytes;
  private final int maxStreams;

  /** Those that got nothing for longest come first. */
  @GuardedBy("this")
  private final LinkedHashMap<StreamProgress, Gathered> growing = new LinkedHashMap<>();

  /** What is enough for a segment; it does not grow any more. */
  @GuardedBy("this")
  private final LinkedHashMap<StreamProgress, Gathered> due = new LinkedHashMap<>();

  /** Adjacent ranges of one stream, with the CRC-32C of all. */
  private record Gathered(ByteRange range, int rawCrc32c, int packs) {
    Gathered with(ByteRange next, int nextCrc32c) {
      return new Gathered(
          new ByteRange(range.startBytes(), next.endBytes()),
          Crc32cCombination.combine(rawCrc32c, nextCrc32c, next.lengthBytes()),
          packs + 1);
    }
  }

  /**
   * Creates a ledger.
   *
   * @param mergeToBytes the longest segment that merging makes; 0: nothing is gathered
   */
  GatherLedger(LongSupplier mergeToBytes) {
    this(mergeToBytes, MAX_STREAMS);
  }

  GatherLedger(LongSupplier mergeToBytes, int maxStreams) {
    this.mergeToBytes = mergeToBytes;
    this.maxStreams = maxStreams;
  }

  private static long fullBytes(long mergeToBytes) {
    return Math.min(MergePolicy.FULL_SEGMENT_BYTES, mergeToBytes);
  }

  /** Adds a range in a durable pack; returns whether a segment is due now. */
  synchronized boolean add(StreamProgress stream, ByteRange range, int rawCrc32c) {
    long most = mergeToBytes.getAsLong();
    if (most == 0 || stream.hasLeft()) {
      return false;
    }
    Gathered before = growing.remove(stream);
    growing.put(
        stream,
        before != null && goesOn(before, range, most)
            ? before.with(range, rawCrc32c)
            : new Gathered(range, rawCrc32c, 1));
    while (growing.size() > maxStreams) {
      growing.pollFirstEntry();
    }
    return settle(stream, fullBytes(most));
  }

  /** Where segments are not made in time, what is too long for one stays in packs. */
  private static boolean goesOn(Gathered before, ByteRange range, long mostBytes) {
    long beforeBytes = before.range().lengthBytes();
    return before.range().endBytes() == range.startBytes()
        && (beforeBytes < fullBytes(mostBytes) || beforeBytes + range.lengthBytes() <= mostBytes);
  }

  /** Makes what is long enough due, if nothing of the stream is; returns whether it did. */
  @GuardedBy("this")
  private boolean settle(StreamProgress stream, long fullBytes) {
    Gathered now = growing.get(stream);
    // One pack alone is read with one request, as a segment is.
    return now != null
        && now.packs() > 1
        && now.range().lengthBytes() >= fullBytes
        && makeDue(stream, now);
  }

  @GuardedBy("this")
  private boolean makeDue(StreamProgress stream, Gathered enough) {
    if (due.containsKey(stream) || due.size() >= maxStreams) {
      return false;
    }
    due.put(stream, enough);
    growing.remove(stream);
    return true;
  }

  /** Notes that the stream has ended; returns whether a segment is due now. */
  synchronized boolean end(StreamProgress stream) {
    Gathered last = growing.get(stream);
    boolean isDue =
        last != null
            && last.packs() >= WORTH_IT_PACKS
            && last.range().lengthBytes() >= fullBytes(mergeToBytes.getAsLong()) / WORTH_IT_PART
            && makeDue(stream, last);
    growing.remove(stream); // Otherwise it stays in packs.
    return isDue;
  }

  /** Forgets what a stream has gathered: it stays in packs. */
  synchronized void drop(StreamProgress stream) {
    growing.remove(stream);
    due.remove(stream);
  }

  /** Forgets all streams: nothing will be gathered any more. */
  synchronized void dropAll() {
    growing.clear();
    due.clear();
  }

  /** Returns whether a segment of the stream is due. */
  synchronized boolean isDue(StreamProgress stream) {
    return due.containsKey(stream);
  }

  /** Returns of how many streams something is remembered that is not due. */
  synchronized int count() {
    return growing.size();
  }

  @Override
  public synchronized Optional<MergePlan> next() {
    return Optional.ofNullable(due.firstEntry())
        .filter(_ -> mergeToBytes.getAsLong() > 0)
        .map(
            first ->
                MergePlan.gathered(
                    first.getKey(), first.getValue().range(), first.getValue().rawCrc32c()));
  }

  @Override
  public synchronized void merged(MergePlan plan) {
    Gathered made = due.get(plan.stream());
    if (made != null && made.range().equals(plan.range())) {
      due.remove(plan.stream());
      settle(plan.stream(), fullBytes(mergeToBytes.getAsLong()));
    }
  }

  @Override
  public void leave(MergePlan plan) {
    forget(plan);
  }

  @Override
  public void forget(MergePlan plan) {
    merged(plan); // Neither is tried again.
  }

  @Override
  public synchronized void postpone(StreamProgress stream) {
    Gathered last = due.remove(stream);
    if (last != null) {
      due.put(stream, last);
    }
  }
}
