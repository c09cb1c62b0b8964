package dev.tailwater.delivery.worker;

import dev.tailwater.delivery.blocks.SharedBlock;
import dev.tailwater.delivery.due.DueQueue;
import dev.tailwater.delivery.hang.HangWatch;
import dev.tailwater.delivery.neighbour.ThreadPriorities.Lowered;
import dev.tailwater.delivery.thread.ThreadMaker;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** One thread that seals. It goes on after a failure, until it is to stop. */
final class SealWorker implements Pace {
  private static final String SEALING = "sealing";
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(250);

  private final WorkerContext context;
  private final Function<Pace, Cutter> cutters;
  private final Crew crew;
  private final boolean isHelper;
  private final Thread thread;
  private final HeldTails held;
  private volatile Optional<Lowered> lowered = Optional.empty();
  private volatile boolean replaced;
  private volatile Optional<Long> dueNanos = Optional.empty();
  private long workedSinceNanos;
  private long restedNanos;

  /** Those that a worker belongs to, who decide about its priority. */
  interface Crew {
    /** Returns whether workers keep their normal priority now. */
    boolean isPolitenessSuspended();

    /** Lowers the calling worker's thread, unless politeness is suspended. */
    void lower(SealWorker worker);

    /** Notes that the calling worker's thread ends. */
    void ended(SealWorker worker);
  }

  /** Why a worker has stopped sealing. */
  private enum Ending {
    /** It is to stop. */
    STOPPED,
    /** Something failed that nobody foresaw: it should start over. */
    FAILED
  }

  /**
   * Creates a worker, which {@link #start} starts.
   *
   * @param cutters opens what it seals with
   * @param isHelper whether it ends with the hurry
   */
  SealWorker(
      WorkerContext context,
      Function<Pace, Cutter> cutters,
      Crew crew,
      ThreadMaker threads,
      boolean isHelper,
      int number) {
    this.context = context;
    this.cutters = cutters;
    this.crew = crew;
    this.isHelper = isHelper;
    this.thread = threads.unstarted(HangWatch.SEAL_THREADS + number, this::run);
    this.held = new HeldTails(context.queue());
  }

  void start() {
    thread.start();
  }

  Thread thread() {
    return thread;
  }

  boolean isHelper() {
    return isHelper;
  }

  /** Returns the thread if its priority is low. */
  Optional<Lowered> lowered() {
    return lowered;
  }

  /** Notes whether the priority of the thread is low; by the crew, with its lock held. */
  void noteLowered(Optional<Lowered> now) {
    lowered = now;
  }

  boolean isReplaced() {
    return replaced;
  }

  /** Has it end after its present block, since another worker has taken its place. */
  void replace() {
    replaced = true;
  }

  /** Returns whether its priority is low, and no other worker has taken its place. */
  boolean isLow() {
    return lowered.isPresent() && !replaced;
  }

  long latenessNanos(long nowNanos) {
    return dueNanos.map(due -> nowNanos - due).orElse(0L);
  }

  private void run() {
    try {
      while (sealUntilStopped() == Ending.FAILED) {
        Thread.sleep(PAUSE_AFTER_FAILURE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // Staging was closed, or the agent stops at once.
    } finally {
      crew.ended(this);
    }
  }

  /** Seals until the worker is to stop, or until something fails, which is reported. */
  private Ending sealUntilStopped() throws InterruptedException {
    dueNanos = Optional.empty();
    try (Cutter cutter = cutters.apply(this)) {
      settle();
      for (Optional<DueQueue.Claim> claim = nextClaim(cutter);
          claim.isPresent();
          claim = nextClaim(cutter)) {
        claim.get().tail().ifPresent(held::read);
        try {
          begin(claim.get().dueNanos());
          if (!replaced) {
            cutter.cut(claim.get());
          }
        } finally {
          held.releaseAll();
        }
        if (!mayGoOn()) {
          return Ending.STOPPED;
        }
        dueNanos = Optional.empty();
        context.problems().resolved(SEALING);
      }
      return Ending.STOPPED;
    } catch (RuntimeException | Error e) {
      context
          .problems()
          .report(
              SEALING,
              "sealing has failed: " + e,
              Optional.of("it is tried again; if it goes on failing, restart the agent"),
              true);
      return Ending.FAILED;
    }
  }

  /** Waits for a claim, and helps other workers meanwhile; empty when the worker is to end. */
  private Optional<DueQueue.Claim> nextClaim(Cutter cutter) throws InterruptedException {
    context.blocks().beginHelping();
    try {
      return claimOrHelp(cutter);
    } finally {
      context.blocks().endHelping();
    }
  }

  private Optional<DueQueue.Claim> claimOrHelp(Cutter cutter) throws InterruptedException {
    while (!mustEnd()) {
      Optional<DueQueue.Claim> claim =
          context.queue().claim(isHelper, () -> replaced || hasOnlyBlocks());
      if (claim.isPresent()) {
        return claim;
      }
      Optional<SharedBlock> block = context.blocks().take();
      if (block.isPresent()) {
        help(cutter, block.get());
        if (!mayGoOn()) {
          return Optional.empty();
        }
        dueNanos = Optional.empty();
      }
    }
    return Optional.empty();
  }

  /** Returns whether there is no file to read, but a block of another worker to compress. */
  private boolean hasOnlyBlocks() {
    return context.blocks().isWorkPosted() && !context.queue().isAnyDue();
  }

  private void help(Cutter cutter, SharedBlock block) {
    try {
      begin(block.dueNanos());
      cutter.help(block);
    } finally {
      context.blocks().giveBack(block);
    }
  }

  private boolean mustEnd() {
    return replaced || context.queue().isClosed() || (isHelper && !context.queue().isHurried());
  }

  private void begin(long claimDueNanos) {
    dueNanos = Optional.of(claimDueNanos);
    restedNanos = 0;
    workedSinceNanos = context.clocks().nanos();
    settle();
  }

  /** Lowers its own priority, unless politeness is suspended. */
  private void settle() {
    if (!crew.isPolitenessSuspended() && lowered.isEmpty() && context.neighbour().lowersThreads()) {
      crew.lower(this);
    }
  }

  @Override
  public boolean mayGoOn() throws InterruptedException {
    if (context.queue().isClosed()) {
      return false; // What is sealed by now may still arrive.
    }
    if (!replaced) {
      long untilNanos = context.queue().restsUntilNanos(dueNanos.orElseThrow());
      long workedNanos = context.clocks().nanos() - workedSinceNanos;
      restedNanos += context.neighbour().yielding().rest(workedNanos, untilNanos);
      workedSinceNanos = context.clocks().nanos();
    }
    return !replaced;
  }

  @Override
  public HeldTails held() {
    return held;
  }

  @Override
  public long restedNanos() {
    return restedNanos;
  }
}
