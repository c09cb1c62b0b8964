package dev.tailwater.delivery.merge;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.delivery.deliver.HeldFrames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * What one destination has of each stream that may be merged, and where something is to be merged
 * now. It begins empty with each run: what an earlier run left short stays so. Thread-safe.
 */
final class MergeLedger {
  /** Of one stream; when there are more, the first ones stay as they are. */
  private static final int MAX_SEGMENTS = 4096;

  /** A stream that has got nothing for so long is quiet. */
  private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final LongSupplier mergeToBytes;
  private final BooleanSupplier mergesFullOnes;
  private final LongSupplier nanoClock;
  private final Map<StreamProgress, ShortSegments> streams = new HashMap<>();
  private final Set<StreamProgress> ended = new HashSet<>();
  private final Set<StreamProgress> quiet = new HashSet<>();

  /** When streams with something to merge got their last segment; those longest ago first. */
  private final LinkedHashMap<StreamProgress, Long> restless = new LinkedHashMap<>();

  private final LinkedHashSet<StreamProgress> due = new LinkedHashSet<>();

  /**
   * @param mergesFullOnes whether there is processor time for what is compressed anew
   */
  MergeLedger(LongSupplier mergeToBytes, BooleanSupplier mergesFullOnes, LongSupplier nanoClock) {
    this.mergesFullOnes = mergesFullOnes;
    this.mergeToBytes = mergeToBytes;
    this.nanoClock = nanoClock;
  }

  private MergePolicy.Phase phase(StreamProgress stream) {
    if (ended.contains(stream)) {
      return MergePolicy.Phase.ENDED;
    }
    return quiet.contains(stream) ? MergePolicy.Phase.QUIET : MergePolicy.Phase.GROWING;
  }

  private MergePolicy policy() {
    return new MergePolicy(mergeToBytes.getAsLong(), mergesFullOnes.getAsBoolean());
  }

  /** A segment is durable; whether there is something to merge now. */
  synchronized boolean add(StreamProgress stream, ShortSegments.Part part) {
    MergePolicy policy = policy();
    if (policy.mergeToBytes() == 0) {
      part.frames().ifPresent(HeldFrames::release);
      return false;
    }
    ended.remove(stream);
    quiet.remove(stream);
    restless.remove(stream);
    ShortSegments segments = streams.computeIfAbsent(stream, _ -> new ShortSegments());
    if (!segments.add(part)) {
      part.frames().ifPresent(HeldFrames::release);
    }
    if (segments.count() > MAX_SEGMENTS) {
      segments.remove(new ByteRange(0, segments.endBytes(segments.count() / 2)));
    }
    if (policy.next(segments, MergePolicy.Phase.QUIET).isPresent()) {
      restless.put(stream, nanoClock.getAsLong());
    }
    return look(policy, stream, segments);
  }

  /** Finds out which streams have become quiet. */
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

  /** No segment of the stream will follow; whether there is something to merge now. */
  synchronized boolean end(StreamProgress stream) {
    ShortSegments segments = streams.get(stream);
    if (segments == null) {
      return false;
    }
    ended.add(stream);
    return look(policy(), stream, segments);
  }

  private boolean look(MergePolicy policy, StreamProgress stream, ShortSegments segments) {
    if (policy.next(segments, phase(stream)).isPresent()) {
      due.add(stream);
      return true;
    }
    due.remove(stream);
    quiet.remove(stream);
    if (ended.contains(stream) || segments.count() == 0) {
      segments.clear();
      streams.remove(stream);
      ended.remove(stream);
      restless.remove(stream);
    }
    return false;
  }

  /** What is to be merged first. */
  synchronized Optional<MergePlan> next() {
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
        return Optional.of(new MergePlan(stream, parts));
      }
      due.remove(stream);
    }
    return Optional.empty();
  }

  /** The segments of the plan have become one. */
  synchronized void merged(MergePlan plan) {
    ShortSegments segments = streams.get(plan.stream());
    if (segments != null) {
      segments.remove(plan.range());
      segments.add(
          new ShortSegments.Part(plan.range(), plan.rawCrc32c(), plan.tier(), Optional.empty()));
      due.remove(plan.stream()); // Those of others come first.
      look(policy(), plan.stream(), segments);
    }
  }

  /** The bytes of those whose frames are gone cannot be had any more: they stay as they are. */
  synchronized void leave(MergePlan plan) {
    ShortSegments segments = streams.get(plan.stream());
    if (segments != null) {
      for (ShortSegments.Part part : plan.parts()) {
        if (part.frames().flatMap(HeldFrames::units).isEmpty()) {
          segments.remove(part.range());
        }
      }
      look(policy(), plan.stream(), segments);
    }
  }

  /** The segments of the plan stay as they are. */
  synchronized void forget(MergePlan plan) {
    ShortSegments segments = streams.get(plan.stream());
    if (segments != null) {
      segments.remove(plan.range());
      look(policy(), plan.stream(), segments);
    }
  }

  /** Another stream's turn. */
  synchronized void postpone(StreamProgress stream) {
    if (due.remove(stream)) {
      due.add(stream);
    }
  }
}
