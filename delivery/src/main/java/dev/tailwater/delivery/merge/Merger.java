package dev.tailwater.delivery.merge;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.pack.PackedRange;
import dev.tailwater.delivery.deliver.Delivery;
import dev.tailwater.delivery.neighbour.ThreadPriorities.Lowered;
import dev.tailwater.delivery.pack.PackedDelivery;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.tempo.Tempo.Mode;
import dev.tailwater.delivery.time.Deadline;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Merges the short segments and packs of one destination, one run of them at a time, on a thread of
 * its own. Deliveries that wait go first. In a hurry it pauses, and abandons the merge that is
 * under way. When it is stopped, it only removes what is superseded. Thread-safe.
 */
public final class Merger implements AutoCloseable {
  /**
   * The length from which on a segment is not short: it is not worth copying whenever a few more
   * bytes come, nor is it worth keeping its frames.
   */
  public static final long FULL_SEGMENT_BYTES = MergePolicy.FULL_SEGMENT_BYTES;

  /** A pack of this length is not short. */
  public static final int SHORT_PACK_BYTES = PackLedger.LONG_BYTES;

  /** How often it looks whether deliveries still wait. */
  private static final long GIVE_WAY_MILLIS = 10;

  /** The longest rest for other programs after each piece. */
  private static final long MAX_REST_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How often it looks whether a stream has become quiet. */
  private static final long LOOK_MILLIS = 10_000;

  private final MergerTools tools;
  private final MergeLedger ledger;
  private final GatherLedger gathered;
  private final MergeCounters counters = new MergeCounters();

  /** Set when the destination forbids to remove: then nothing is merged any more. */
  private final AtomicBoolean forbidden = new AtomicBoolean();

  private final MergeSteps steps;
  private final PackMergeSteps packs;
  private final ManifestSteps manifests;
  private final Thread thread;
  private final ProcessorShare share;

  @GuardedBy("this")
  private boolean stopping;

  @GuardedBy("this")
  private boolean closed;

  @GuardedBy("this")
  private boolean interruptible;

  @GuardedBy("this")
  private long resumeAtNanos;

  @GuardedBy("this")
  private boolean pausing;

  /** How often it has failed since something was merged or removed; changed by the thread only. */
  @GuardedBy("this")
  private int failures;

  /** Since when it has not rested; used by the thread only. */
  private long workedSinceNanos;

  public Merger(MergerTools tools) {
    this.tools = tools;
    this.thread =
        Thread.ofPlatform()
            .name("merge-" + tools.target().name())
            .daemon(true)
            .unstarted(this::work);
    this.share = new ProcessorShare(tools.neighbour(), tools.clocks().nanoClock());
    LongSupplier mergeToBytes =
        () -> forbidden.get() ? 0 : tools.target().mergeToBytes().getAsLong();
    // Full segments need not be merged, so they are not while other programs wait.
    this.ledger =
        new MergeLedger(
            mergeToBytes,
            () -> share.isModest() && !tools.neighbour().yielding().isPressed(),
            tools.clocks().nanoClock());
    this.gathered = new GatherLedger(mergeToBytes);
    this.steps =
        new MergeSteps(
            tools, ledger, gathered, counters, forbidden, this::awaitTurn, this::uploading);
    this.manifests =
        new ManifestSteps(
            tools.packs(),
            tools.random(),
            tools.clocks(),
            tools.target().problems(),
            forbidden,
            this::awaitManifestTurn,
            this::uploading);
    this.packs =
        new PackMergeSteps(tools, counters, forbidden, manifests, this::awaitTurn, this::uploading);
    tools.tempo().onChange(Mode.HURRY, this::tempoChanged);
  }

  /** Starts the thread; first it removes what the last run may have left. */
  public void start() {
    thread.start();
  }

  /** Removes superseded objects that an earlier run has left. */
  public void remove(List<String> superseded) {
    Map<Boolean, List<String>> byKind =
        superseded.stream()
            .collect(Collectors.partitioningBy(key -> PackName.parse(key).isPresent()));
    packs.supersede(byKind.getOrDefault(true, List.of()));
    steps.supersede(byKind.getOrDefault(false, List.of()));
    wake();
  }

  /** Notes that a segment is durable. */
  public void delivered(Delivery delivery) {
    ByteRange range = delivery.segment().range();
    ShortSegments.Part part =
        new ShortSegments.Part(range, delivery.segment().rawCrc32c(), 0, delivery.frames());
    if (ledger.add(delivery.stream(), part)) {
      wake();
    }
  }

  /** Notes that a pack is durable. */
  public void delivered(PackedDelivery pack) {
    boolean isDue = gather(pack);
    if (packs.delivered(pack) || isDue) {
      wake();
    }
  }

  /** Notes what streams have gathered; returns whether a segment is due now. */
  private boolean gather(PackedDelivery pack) {
    pack.revised().forEach(range -> gathered.drop(range.stream()));
    boolean isDue = false;
    Iterator<PackedRange> ranges =
        pack.pack().directory().ranges().stream().filter(one -> one.revision() == 0).iterator();
    for (PackedDelivery.Part part : pack.parts()) {
      PackedRange range = ranges.next(); // In the order in which they were added.
      if (range.range().equals(part.range())) {
        isDue |= gathered.add(part.stream(), range.range(), range.rawCrc32c());
      } else {
        gathered.drop(part.stream());
      }
    }
    return isDue;
  }

  /** Returns whether the segments of a stream are merged, or may be soon. */
  public boolean isMerging(StreamProgress stream) {
    return ledger.isMerging(stream) || gathered.isDue(stream);
  }

  /** Notes that a stream leaves memory. */
  public void leave(StreamProgress stream) {
    ledger.leave(stream);
    gathered.drop(stream);
  }

  /** Notes that a stream is back in memory, as another object. */
  public void comeBack(StreamProgress stream) {
    ledger.comeBack(stream);
  }

  /** Returns whether packs that were merged are still to be removed, or that is not known. */
  public boolean hasPacksToRemove() {
    return packs.hasCleaning();
  }

  /** Notes that a stream has ended and is durable to its end. */
  public void ended(StreamProgress stream) {
    boolean isDue = gathered.end(stream);
    if (ledger.end(stream) || isDue) {
      wake();
    }
  }

  public MergeCounters counters() {
    return counters;
  }

  private synchronized void wake() {
    notifyAll();
  }

  private synchronized void tempoChanged() {
    if (isHurrying()) {
      interruptUpload();
    }
    notifyAll();
  }

  private boolean isHurrying() {
    return tools.tempo().is(Mode.HURRY);
  }

  @GuardedBy("this")
  private void interruptUpload() {
    if (interruptible) {
      thread.interrupt();
    }
  }

  /** Ends merging; what is superseded is still removed. Returns at once. */
  public synchronized void stop() {
    stopping = true;
    pausing = false; // One last attempt.
    interruptUpload();
    notifyAll();
  }

  /**
   * Waits, after {@link #stop}, until the thread has ended.
   *
   * @return false when the deadline passed before that
   */
  public boolean awaitEnd(Deadline deadline) throws InterruptedException {
    return deadline.join(thread);
  }

  /**
   * Stops, and waits until what is superseded is removed, as long as there is progress. The next
   * start removes what is left.
   *
   * @param patience how long to wait without progress
   */
  public void finish(Duration patience) throws InterruptedException {
    stop();
    long before;
    do {
      before = counters.supersededSegments();
    } while (!awaitEnd(Deadline.after(patience)) && counters.supersededSegments() > before);
  }

  /** Stops at once, without waiting for a call that hangs; the next start cleans up after it. */
  @Override
  public synchronized void close() {
    closed = true;
    stop();
    thread.interrupt();
  }

  private void work() {
    Optional<Lowered> lowered = Optional.empty();
    try {
      lowered = tools.neighbour().priorities().lower();
      share.begin();
      while (tryStep()) {}
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      steps.close();
      packs.close();
      lowered.ifPresent(tools.neighbour().priorities()::ended);
    }
  }

  /** Waits for something to do and does it; false when the thread is to end. */
  private boolean tryStep() throws InterruptedException {
    try {
      if (!awaitWork()) {
        return false;
      }
      step();
    } catch (RuntimeException | Error e) {
      MergeSteps.report(
          tools.target().problems(),
          "merging has failed: " + e,
          "this should not happen; nothing is lost, and it is tried again",
          false);
      pause(true);
    }
    return true;
  }

  /** Waits until something can be done; false when the thread is to end. */
  private synchronized boolean awaitWork() throws InterruptedException {
    while (true) {
      if (stopping) {
        // What could not be removed just now is left to the next start.
        return mayClean() && (hasCleaning() || hasLastManifest()) && !pausing;
      }
      long waitMillis = 0;
      if (pausing) {
        long leftNanos = resumeAtNanos - tools.clocks().nanos();
        waitMillis = Math.max(0, Math.ceilDiv(leftNanos, TimeUnit.MILLISECONDS.toNanos(1)));
        pausing = waitMillis > 0;
      }
      if (!pausing && !isHurrying() && (hasCleaning() || hasWork())) {
        return true;
      }
      if (!pausing && mayList() && manifests.isFull()) {
        return true;
      }
      wait(waitMillis > 0 ? waitMillis : LOOK_MILLIS);
    }
  }

  private boolean hasCleaning() {
    return steps.hasCleaning() || packs.hasCleaning();
  }

  /** Manifests may be written in a drain, unless it has a deadline. */
  private boolean mayList() {
    return !tools.tempo().is(Mode.NO_RESTS);
  }

  private boolean hasLastManifest() {
    return mayList() && !manifests.isEmpty();
  }

  private boolean hasWork() {
    return packs.hasWork() || ledger.next().isPresent() || gathered.next().isPresent();
  }

  private void step() {
    workedSinceNanos = tools.clocks().nanos();
    boolean isLast = isStopping() && !hasCleaning() && !manifests.isEmpty();
    if (mayList() && (manifests.isFull() || isLast)) {
      settle(manifests.next(isLast));
      return;
    }
    // Packs first: their bytes are in memory, and there are few of them.
    settle(
        packs.hasCleaning() || (packs.hasWork() && !steps.hasCleaning())
            ? packs.next(this::mayClean, this::mayMerge)
            : steps.next(this::mayClean, this::mayMerge));
  }

  private synchronized boolean isStopping() {
    return stopping;
  }

  private void settle(MergeSteps.Outcome outcome) {
    switch (outcome) {
      case FINISHED -> succeeded();
      case UNFINISHED -> {}
      case FAILED -> pause(false);
      case REFUSED -> pause(true);
    }
  }

  private synchronized void succeeded() {
    failures = 0;
  }

  private synchronized void pause(boolean permanent) {
    failures++;
    long pauseMillis = tools.retries().waitMillis(failures, permanent, tools.random());
    resumeAtNanos = tools.clocks().nanos() + TimeUnit.MILLISECONDS.toNanos(pauseMillis);
    pausing = true;
  }

  private synchronized boolean mayClean() {
    return !closed && (stopping || !isHurrying());
  }

  private synchronized boolean mayMerge() {
    return !stopping && !isHurrying();
  }

  /** Rests as long as politeness asks for, and waits until no delivery waits. */
  private void awaitTurn() throws MergeWriter.AbandonedException {
    long now = tools.clocks().nanos();
    try {
      tools.neighbour().yielding().rest(now - workedSinceNanos, now + MAX_REST_NANOS);
    } catch (InterruptedException e) {
      throw new MergeWriter.AbandonedException();
    }
    awaitDeliveries();
    workedSinceNanos = tools.clocks().nanos();
  }

  /** The same for a manifest, which may be written in a hurry too. */
  private void awaitManifestTurn() throws MergeWriter.AbandonedException {
    if (!isHurrying()) {
      awaitTurn();
    } else if (isStopping() || !mayList()) {
      throw new MergeWriter.AbandonedException();
    }
  }

  private synchronized void awaitDeliveries() throws MergeWriter.AbandonedException {
    while (mayMerge() && tools.target().isBusy().getAsBoolean()) {
      try {
        wait(GIVE_WAY_MILLIS);
      } catch (InterruptedException e) {
        throw new MergeWriter.AbandonedException();
      }
    }
    // When a hurry ends before it is noticed, its interrupt stays and would break the next call.
    if (!mayMerge() || Thread.currentThread().isInterrupted()) {
      throw new MergeWriter.AbandonedException();
    }
  }

  /** Notes that an upload begins or has ended: only an upload may be interrupted. */
  private synchronized void uploading(boolean begins) {
    interruptible = begins;
    if (!begins) {
      var _ = Thread.interrupted();
    }
  }
}
