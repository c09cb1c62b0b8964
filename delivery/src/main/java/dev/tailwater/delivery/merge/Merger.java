package dev.tailwater.delivery.merge;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.seal.SegmentComposer;
import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.delivery.deliver.Delivery;
import dev.tailwater.delivery.deliver.RetryPolicy;
import dev.tailwater.delivery.neighbour.Neighbour;
import dev.tailwater.delivery.neighbour.ThreadPriorities.Lowered;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.tail.ArchivedNames;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.destination.Destination;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.FileCalls;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Merges the short segments of one destination, one run of them at a time, on a thread of its own,
 * after every delivery that is due. In a hurry it rests, and gives up at once what it is at. When
 * it is closed, it removes what is superseded, and no more. Thread-safe.
 */
public final class Merger implements AutoCloseable {
  /**
   * Longer segments are not worth the copying each time that a few more bytes come; nor is it worth
   * keeping the frames of such.
   */
  public static final long FULL_SEGMENT_BYTES = 8L << 20;

  /** How soon it looks again whether deliveries wait. */
  private static final long GIVE_WAY_MILLIS = 10;

  /** So long it rests for others after each piece, at most. */
  private static final long MAX_REST_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How soon it looks again whether a stream has become quiet. */
  private static final long LOOK_MILLIS = 10_000;

  private final MergerTools tools;
  private final MergeLedger ledger;
  private final MergeCounters counters = new MergeCounters();
  private final MergeSteps steps;
  private final Thread thread;
  private final ProcessorShare share;
  private int hurries;
  private boolean stopping;
  private boolean closed;
  private boolean interruptible;
  private long resumeAtNanos;
  private boolean pausing;

  /** Since something was merged or removed; of the thread. */
  private int failures;

  /** Since when it has not rested; of the thread. */
  private long workedSinceNanos;

  /**
   * What a merger works with.
   *
   * @param isBusy whether deliveries wait, which go first
   * @param files the watched files
   * @param composers one for the merger, when there is something to merge
   * @param mergeToBytes the longest segment that is made; 0: nothing is merged
   */
  public record MergerTools(
      String name,
      Destination destination,
      CheckpointStore checkpoints,
      BooleanSupplier isBusy,
      FileCalls calls,
      Function<FileIdentity, Optional<WatchedFile>> files,
      ArchivedNames names,
      Supplier<SegmentComposer> composers,
      Problems problems,
      RetryPolicy retries,
      RandomGenerator random,
      LongSupplier mergeToBytes,
      LongSupplier nanoClock,
      LongSupplier clockMillis,
      Neighbour neighbour) {}

  public Merger(MergerTools tools) {
    this.tools = tools;
    this.thread =
        Thread.ofPlatform().name("merge-" + tools.name()).daemon(true).unstarted(this::work);
    this.share = new ProcessorShare(tools.neighbour(), tools.nanoClock());
    // What need not be merged is not merged while others wait.
    this.ledger =
        new MergeLedger(
            tools.mergeToBytes(),
            () -> share.isModest() && !tools.neighbour().yielding().isPressed(),
            tools.nanoClock());
    this.steps = new MergeSteps(tools, ledger, counters, this::awaitLeave, this::uploading);
  }

  /** Begins, with what the last run may have left to be removed. */
  public void start() {
    thread.start();
  }

  /** Removes objects that a longer one supersedes, which an earlier run should have done. */
  public void remove(List<String> superseded) {
    steps.supersede(superseded);
    wake();
  }

  /** A segment is durable. */
  public void delivered(Delivery delivery) {
    ByteRange range = delivery.segment().range();
    ShortSegments.Part part =
        new ShortSegments.Part(range, delivery.segment().rawCrc32c(), 0, delivery.frames());
    if (ledger.add(delivery.stream(), part)) {
      wake();
    }
  }

  /** The stream has ended, and all of it is durable. */
  public void ended(StreamProgress stream) {
    if (ledger.end(stream)) {
      wake();
    }
  }

  public MergeCounters counters() {
    return counters;
  }

  private synchronized void wake() {
    notifyAll();
  }

  /** From now on it rests; or, when all who asked for that are done, it goes on. */
  public synchronized void hurry(boolean hurry) {
    hurries += hurry ? 1 : -1;
    if (hurry) {
      interruptUpload();
    }
    notifyAll();
  }

  private void interruptUpload() {
    if (interruptible) {
      thread.interrupt();
    }
  }

  /** Nothing more is merged; what is superseded is still removed. Returns at once. */
  public synchronized void stop() {
    stopping = true;
    pausing = false; // A last try.
    interruptUpload();
    notifyAll();
  }

  /** Waits, after {@link #stop}, until the thread has ended; false when the time is over first. */
  public boolean awaitEnd(long timeoutMillis) throws InterruptedException {
    return thread.getState() == Thread.State.NEW
        || thread.join(Duration.ofMillis(Math.max(1, timeoutMillis)));
  }

  /**
   * Stops, and waits until what is superseded is removed, as long as there is progress; what is
   * left when that fails, the next start removes.
   */
  public void finish(Duration patience) throws InterruptedException {
    stop();
    long before;
    do {
      before = counters.supersededSegments();
    } while (!awaitEnd(patience.toMillis()) && counters.supersededSegments() > before);
  }

  /** Stops; a call that hangs is not waited for. What it leaves, the next start cleans up. */
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
      lowered.ifPresent(tools.neighbour().priorities()::ended);
    }
  }

  /** Waits for something to do and does it; false when nothing will be any more. */
  private boolean tryStep() throws InterruptedException {
    try {
      if (!awaitWork()) {
        return false;
      }
      step();
    } catch (RuntimeException | Error e) {
      MergeSteps.report(
          tools.problems(),
          "merging has failed: " + e,
          "this should not happen; nothing is lost, and it is tried again",
          false);
      pause(true);
    }
    return true;
  }

  /** Waits until something can be done; false when nothing will be any more. */
  private synchronized boolean awaitWork() throws InterruptedException {
    while (true) {
      if (stopping) {
        // What could not be removed a moment ago is left to the next start.
        return mayClean() && steps.hasCleaning() && !pausing;
      }
      long waitMillis = 0;
      if (pausing) {
        long leftNanos = resumeAtNanos - tools.nanoClock().getAsLong();
        waitMillis = Math.max(0, Math.ceilDiv(leftNanos, TimeUnit.MILLISECONDS.toNanos(1)));
        pausing = waitMillis > 0;
      }
      if (!pausing && hurries == 0 && (steps.hasCleaning() || ledger.next().isPresent())) {
        return true;
      }
      wait(waitMillis > 0 ? waitMillis : LOOK_MILLIS);
    }
  }

  private void step() {
    workedSinceNanos = tools.nanoClock().getAsLong();
    MergeSteps.Outcome outcome = steps.next(this::mayClean, this::mayMerge);
    switch (outcome) {
      case FINISHED -> failures = 0;
      case UNFINISHED -> {}
      case FAILED -> pause(false);
      case REFUSED -> pause(true);
    }
  }

  private synchronized void pause(boolean permanent) {
    failures++;
    long pauseMillis = tools.retries().waitMillis(failures, permanent, tools.random());
    resumeAtNanos = tools.nanoClock().getAsLong() + TimeUnit.MILLISECONDS.toNanos(pauseMillis);
    pausing = true;
  }

  private synchronized boolean mayClean() {
    return !closed && (stopping || hurries == 0);
  }

  private synchronized boolean mayMerge() {
    return !stopping && hurries == 0;
  }

  /** Rests as long as it should, and lets deliveries go first. */
  private void awaitLeave() throws MergeWriter.AbandonedException {
    long now = tools.nanoClock().getAsLong();
    try {
      tools.neighbour().yielding().rest(now - workedSinceNanos, now + MAX_REST_NANOS);
    } catch (InterruptedException e) {
      throw new MergeWriter.AbandonedException();
    }
    awaitDeliveries();
    workedSinceNanos = tools.nanoClock().getAsLong();
  }

  private synchronized void awaitDeliveries() throws MergeWriter.AbandonedException {
    while (mayMerge() && tools.isBusy().getAsBoolean()) {
      try {
        wait(GIVE_WAY_MILLIS);
      } catch (InterruptedException e) {
        throw new MergeWriter.AbandonedException();
      }
    }
    // An interrupt stays when a hurry is over before it is noticed, and would break the next call.
    if (!mayMerge() || Thread.currentThread().isInterrupted()) {
      throw new MergeWriter.AbandonedException();
    }
  }

  /** Only what is being uploaded may be ended by an interrupt. */
  private synchronized void uploading(boolean begins) {
    interruptible = begins;
    if (!begins) {
      var _ = Thread.interrupted();
    }
  }
}
