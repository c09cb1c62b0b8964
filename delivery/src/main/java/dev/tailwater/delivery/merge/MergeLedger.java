package dev.tailwater.delivery.merge;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.deliver.HeldFrames;
import dev.tailwater.delivery.stream.StreamProgress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The segments of each stream at one destination that may be merged, and where something is due to
 * be merged. It is empty at the start of a run: what an earlier run left short stays so.
 * Thread-safe.
 */
final class MergeLedger implements MergePlans {
  /** The most segments of one stream; when there are more, the first ones are not merged. */
  private static final int MAX_SEGMENTS = 4096;

  /** A stream that has got no segment for this long is quiet. */
  private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

  /**
   * The most segments of all streams, some megabytes; the streams that are quiet longest are left.
   */
  private static final int MAX_OF_ALL = 500_000;

  /** The most ended streams, and the most that left, which nothing else keeps in memory. */
  private static final int MAX_ENDED = 4096;

  private static final ByteRange EVERYTHING = new ByteRange(0, Long.MAX_VALUE);

  private final int maxOfAll;
  private final int maxEnded;
  private final LongSupplier mergeToBytes;
  private final BooleanSupplier mergesFullOnes;
  private final LongSupplier nanoClock;

  /** The streams with segments; those that got none for longest come first. */
  @GuardedBy("this")
  private final LinkedHashMap<StreamProgress, ShortSegments> streams = new LinkedHashMap<>();

  @GuardedBy("this")
  private final LinkedHashSet<StreamProgress> ended = new LinkedHashSet<>();

  /** The streams that left memory, as they were; those that left first come first. */
  @GuardedBy("this")
  private final LinkedHashMap<StreamId, StreamProgress> left = new LinkedHashMap<>();

  @GuardedBy("this")
  private final Set<StreamProgress> quiet = new HashSet<>();

  /** When streams that could be merged if quiet got their last segment; longest ago first. */
  @GuardedBy("this")
  private final LinkedHashMap<StreamProgress, Long> restless = new LinkedHashMap<>();

  @GuardedBy("this")
  private final LinkedHashSet<StreamProgress> due = new LinkedHashSet<>();

  /** How many segments of all streams there are. */
  @GuardedBy("this")
  private int count;

  /**
   * Creates a ledger.
   *
   * @param mergesFullOnes returns whether there is processor time to compress full segments again
   */
  MergeLedger(LongSupplier mergeToBytes, BooleanSupplier mergesFullOnes, LongSupplier nanoClock) {
    this(mergeToBytes, mergesFullOnes, nanoClock, MAX_OF_ALL, MAX_ENDED);
  }

  MergeLedger(
      LongSupplier mergeToBytes,
      BooleanSupplier mergesFullOnes,
      LongSupplier nanoClock,
      int maxOfAll,
      int maxEnded) {
    this.maxOfAll = maxOfAll;
    this.maxEnded = maxEnded;
    this.mergesFullOnes = mergesFullOnes;
    this.mergeToBytes = mergeToBytes;
    this.nanoClock = nanoClock;
  }

  @GuardedBy("this")
  private MergePolicy.Phase phase(StreamProgress stream) {
    if (ended.contains(stream)) {
      return MergePolicy.Phase.ENDED;
    }
    return quiet.contains(stream) ? MergePolicy.Phase.QUIET : MergePolicy.Phase.GROWING;
  }

  private MergePolicy policy() {
    return new MergePolicy(mergeToBytes.getAsLong(), mergesFullOnes.getAsBoolean());
  }

  /** Adds a durable segment; returns whether something is due to be merged now. */
  synchronized boolean add(StreamProgress stream, ShortSegments.Part part) {
    MergePolicy policy = policy();
    if (policy.mergeToBytes() == 0 || stream.hasLeft()) {
      part.frames().ifPresent(HeldFrames::release);
      return false;
    }
    ended.remove(stream);
    quiet.remove(stream);
    restless.remove(stream);
    ShortSegments segments = streams.computeIfAbsent(stream, _ -> new ShortSegments());
    streams.putLast(stream, segments);
    if (segments.add(part)) {
      count++;
    } else {
      part.frames().ifPresent(HeldFrames::release);
    }
    if (segments.count() > MAX_SEGMENTS) {
      remove(segments, new ByteRange(0, segments.endBytes(segments.count() / 2)));
    }
    while (count > maxOfAll && streams.size() > 1) {
      drop(streams.firstEntry().getKey());
    }
    if (policy.next(segments, MergePolicy.Phase.QUIET).isPresent()) {
      restless.put(stream, nanoClock.getAsLong());
    }
    return look(policy, stream, segments);
  }

  /** Notes which streams have become quiet. */
  @GuardedBy("this")
  private void noteQuiet() {
    long now = nanoClock.getAsLong();
    while (!restless.isEmpty() && now - restless.firstEntry().getValue() >= QUIET_NANOS) {
      StreamProgress stream = restless.pollFirstEntry().getKey();
      ShortSegments segments = streams.get(stream);
      if (segments != null) {
        quiet.add(stream);
        look(policy(), stream, segments);
      }
    }
  }

  /** Notes that no segment of the stream will follow; returns whether something is due now. */
  synchronized boolean end(StreamProgress stream) {
    ShortSegments segments = streams.get(stream);
    if (segments == null) {
      return false;
    }
    ended.add(stream);
    while (ended.size() > maxEnded) {
      drop(ended.getFirst());
    }
    return look(policy(), stream, segments);
  }

  @GuardedBy("this")
  private void remove(ShortSegments segments, ByteRange range) {
    count -= segments.count();
    segments.remove(range);
    count += segments.count();
  }

  /** Forgets a stream: its segments stay as they are. */
  @GuardedBy("this")
  private void drop(StreamProgress stream) {
    ShortSegments segments = streams.remove(stream);
    if (segments != null) {
      remove(segments, EVERYTHING);
    }
    ended.remove(stream);
    quiet.remove(stream);
    restless.remove(stream);
    due.remove(stream);
  }

  /** Returns whether the segments of a stream are merged, or may be soon. */
  synchronized boolean isMerging(StreamProgress stream) {
    return due.contains(stream) || restless.containsKey(stream);
  }

  /** Notes that a stream leaves memory; it may come back as another object. */
  synchronized void leave(StreamProgress stream) {
    if (streams.containsKey(stream)) {
      left.put(stream.id(), stream);
      while (left.size() > maxEnded) {
        drop(left.pollFirstEntry().getValue());
      }
    }
  }

  /** Notes that a stream is back in memory. */
  synchronized void comeBack(StreamProgress stream) {
    StreamProgress before = left.remove(stream.id());
    if (before == null) {
      return;
    }
    if (isMerging(before)) {
      drop(before); // What is being merged stays as it becomes.
      return;
    }
    ShortSegments segments = streams.remove(before);
    if (segments != null) {
      streams.put(stream, segments);
      if (quiet.remove(before)) {
        quiet.add(stream);
      }
    }
  }

  /** Forgets all streams: nothing will be merged any more. */
  synchronized void forgetAll() {
    while (!streams.isEmpty()) {
      drop(streams.firstEntry().getKey());
    }
  }

  /** Returns how many segments there are. */
  synchronized int count() {
    return count;
  }

  @GuardedBy("this")
  private boolean look(MergePolicy policy, StreamProgress stream, ShortSegments segments) {
    if (policy.next(segments, phase(stream)).isPresent()) {
      due.add(stream);
      return true;
    }
    due.remove(stream);
    quiet.remove(stream);
    if (ended.contains(stream) || segments.count() == 0) {
      drop(stream);
    }
    return false;
  }

  /** Returns what is to be merged first. */
  @Override
  public synchronized Optional<MergePlan> next() {
    noteQuiet();
    MergePolicy policy = policy();
    while (!due.isEmpty()) {
      StreamProgress stream = due.getFirst();
      ShortSegments segments = streams.get(stream);
      Optional<MergePolicy.Run> run =
          segments == null ? Optional.empty() : policy.next(segments, phase(stream));
      if (segments != null && run.isPresent()) {
        List<ShortSegments.Part> parts = new ArrayList<>();
        for (int i = run.get().from(); i < run.get().to(); i++) {
          parts.add(segments.part(i));
        }
        return Optional.of(MergePlan.ofSegments(stream, parts));
      }
      due.remove(stream);
    }
    return Optional.empty();
  }

  /** Replaces the segments of the plan by the one that they have become. */
  @Override
  public synchronized void merged(MergePlan plan) {
    ShortSegments segments = streams.get(plan.stream());
    if (segments != null) {
      remove(segments, plan.range());
      if (segments.add(
          new ShortSegments.Part(plan.range(), plan.rawCrc32c(), plan.tier(), Optional.empty()))) {
        count++;
      }
      due.remove(plan.stream()); // Other streams come first.
      look(policy(), plan.stream(), segments);
    }
  }

  /**
   * Forgets the segments without frames, whose bytes cannot be read again: they stay as they are.
   */
  @Override
  public synchronized void leave(MergePlan plan) {
    ShortSegments segments = streams.get(plan.stream());
    if (segments != null) {
      for (ShortSegments.Part part : plan.parts()) {
        if (part.frames().flatMap(HeldFrames::units).isEmpty()) {
          remove(segments, part.range());
        }
      }
      look(policy(), plan.stream(), segments);
    }
  }

  /** Forgets the segments of the plan: they stay as they are. */
  @Override
  public synchronized void forget(MergePlan plan) {
    ShortSegments segments = streams.get(plan.stream());
    if (segments != null) {
      remove(segments, plan.range());
      look(policy(), plan.stream(), segments);
    }
  }

  /** Lets other streams go first. */
  @Override
  public synchronized void postpone(StreamProgress stream) {
    if (due.remove(stream)) {
      due.add(stream);
    }
  }
}
