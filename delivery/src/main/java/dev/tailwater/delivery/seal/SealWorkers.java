package dev.tailwater.delivery.seal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.blocks.SharedBlock;
import dev.tailwater.delivery.due.DueQueue;
import dev.tailwater.delivery.hang.HangWatch;
import dev.tailwater.delivery.neighbour.Neighbour;
import dev.tailwater.delivery.neighbour.ThreadPriorities.Lowered;
import dev.tailwater.delivery.tempo.Tempo;
import dev.tailwater.delivery.thread.ThreadMaker;
import dev.tailwater.delivery.thread.ThreadShortage;
import dev.tailwater.delivery.time.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The threads that seal segments. Compression is what costs, so there are as many as configured,
 * and at full speed as many as there are processors.
 *
 * <p>Workers lower their own priority. While politeness is suspended, a worker whose priority
 * cannot be raised again ends after its present block, and a new one takes its place. The new one
 * is started by a thread that was never lowered and does nothing else, since a thread inherits the
 * priority of the one that starts it.
 */
public final class SealWorkers implements AutoCloseable {
  private static final String MAKING = "managing the threads for sealing";
  private static final String SEALING = "sealing";
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(250);

  /** So many threads that hang have a substitute at most. */
  private static final int MOST_HANGING = 4;

  private final SealContext context;
  private final Cutters cutters;
  private final int workers;
  private final int helpers;
  private final Neighbour neighbour;
  private final Tempo tempo;
  private final ThreadMaker threads;
  private final ThreadShortage shortage;
  private final StarvationMonitor starvation;
  private final Thread maker;

  @GuardedBy("this")
  private final List<Worker> living = new ArrayList<>();

  /** Those that hang in a call, or did a moment ago; others have taken their places. */
  @GuardedBy("this")
  private final Set<Worker> hanging = new HashSet<>();

  @GuardedBy("this")
  private boolean fullSpeed;

  @GuardedBy("this")
  private boolean urgent;

  @GuardedBy("this")
  private boolean closed;

  @GuardedBy("this")
  private int started;

  /** Whether a worker of low priority could not be replaced when that was last tried. */
  private volatile boolean lacksThread;

  /** Whether workers keep their normal priority. */
  private volatile boolean suspended;

  /**
   * Creates the workers; none runs before {@link #start}.
   *
   * @param workers how many there always are
   * @param atFullSpeed how many there are at full speed, if that is more and the system has threads
   */
  public SealWorkers(
      Cutters cutters,
      int workers,
      int atFullSpeed,
      Neighbour neighbour,
      Tempo tempo,
      ThreadMaker threads) {
    this.context = cutters.context();
    this.cutters = cutters;
    this.workers = workers;
    this.helpers = Math.max(0, atFullSpeed - workers);
    this.neighbour = neighbour;
    this.tempo = tempo;
    this.starvation = new StarvationMonitor(neighbour, tempo, context.clocks().nanos());
    this.threads = threads;
    this.shortage = new ThreadShortage(context.problems(), "more threads for sealing");
    this.maker = threads.unstarted("seal-maker", this::makeWorkers);
    tempo.onChange(Tempo.Mode.FULL_SPEED, this::tempoChanged);
  }

  public synchronized void start() {
    for (int i = 0; i < workers; i++) {
      add(false);
    }
    if (neighbour.lowersThreads()) {
      maker.start();
    }
  }

  @GuardedBy("this")
  private void add(boolean isHelper) {
    Worker worker = new Worker(isHelper, started++);
    worker.thread.start();
    living.add(worker);
  }

  /** Adds a worker; false when the system has no thread for it, and the others do its work. */
  @GuardedBy("this")
  private boolean tryAdd(boolean isHelper) {
    try {
      add(isHelper);
      shortage.resolved();
      return true;
    } catch (OutOfMemoryError e) {
      shortage.report(e);
      return false;
    }
  }

  private void reportFailure(Throwable e) {
    context
        .problems()
        .report(
            SEALING,
            "sealing has failed: " + e,
            Optional.of("it is tried again; if it goes on failing, restart the agent"),
            true);
  }

  /** Keeps workers of normal priority running while politeness is suspended. */
  private void makeWorkers() {
    try {
      while (awaitLook()) {
        tryLook();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void tryLook() {
    try {
      look();
    } catch (RuntimeException | Error e) {
      lacksThread = true; // So that it is not tried again at once.
      context
          .problems()
          .reportHarmless(
              MAKING,
              "the threads for sealing cannot be managed: " + e,
              Optional.of("this should not happen; they go on, and it is tried again"),
              false);
    }
  }

  /** Waits until it is time to look; false when the workers are closed. */
  private synchronized boolean awaitLook() throws InterruptedException {
    if (!closed && (lacksThread || !mustReplace())) {
      TimeUnit.NANOSECONDS.timedWait(this, StarvationMonitor.LOOK_NANOS);
    }
    return !closed;
  }

  @GuardedBy("this")
  private boolean mustReplace() {
    return suspended && living.stream().anyMatch(Worker::isLow);
  }

  private synchronized void look() {
    if (closed) {
      return;
    }
    List<Lowered> low = new ArrayList<>();
    long now = context.clocks().nanos();
    long lateness = context.queue().latenessNanos();
    for (Worker worker : living) {
      worker.lowered.ifPresent(low::add);
      lateness = Math.max(lateness, worker.latenessNanos(now));
    }
    urgent = starvation.look(low, lateness, context.queue().maxAgeNanos(), now);
    suspended = fullSpeed || urgent;
    lacksThread = false;
    if (suspended) {
      for (Worker worker : List.copyOf(living)) {
        if (worker.isLow()) {
          replace(worker);
        }
      }
    }
  }

  @GuardedBy("this")
  private void replace(Worker worker) {
    if (starvation.raise(worker.lowered.orElseThrow())) {
      worker.lowered = Optional.empty();
    } else if (tryAdd(worker.isHelper)) {
      worker.replaced = true;
      context.queue().wake();
    } else {
      lacksThread = true; // The old one goes on.
    }
  }

  /**
   * Has another thread go on with the work of one that hangs in a call, unless it is none of these,
   * or too many hang already. When the call returns, the thread ends.
   */
  public boolean substitute(Thread thread) {
    Optional<Worker> replaced = replaceHanging(thread);
    if (replaced.isEmpty()) {
      return false;
    }
    replaced.get().held.takeAway();
    context.queue().wake();
    return true;
  }

  private synchronized Optional<Worker> replaceHanging(Thread thread) {
    Optional<Worker> found = Optional.empty();
    for (Worker worker : living) {
      if (worker.thread.equals(thread)) {
        found = Optional.of(worker);
      }
    }
    if (closed || found.isEmpty()) {
      return Optional.empty();
    }
    Worker worker = found.get();
    if (!worker.replaced && (hanging.size() >= MOST_HANGING || !tryAdd(worker.isHelper))) {
      return Optional.empty();
    }
    hanging.add(worker);
    worker.replaced = true;
    return found;
  }

  private synchronized void tempoChanged() {
    boolean before = fullSpeed;
    fullSpeed = tempo.is(Tempo.Mode.FULL_SPEED);
    suspended = fullSpeed || urgent;
    if (fullSpeed && !before && !context.queue().isClosed()) {
      long missing = helpers - living.stream().filter(w -> w.isHelper).count();
      while (missing > 0 && tryAdd(true)) {
        missing--;
      }
    }
    notifyAll();
  }

  /** One thread that seals. */
  private final class Worker implements Pace {
    private final boolean isHelper;
    private final Thread thread;
    private volatile Optional<Lowered> lowered = Optional.empty();
    private final HeldTails held = new HeldTails(context.queue());
    private volatile boolean replaced;

    private volatile Optional<Long> dueNanos = Optional.empty();
    private long workedSinceNanos;
    private long restedNanos;

    Worker(boolean isHelper, int number) {
      this.isHelper = isHelper;
      this.thread = threads.unstarted(HangWatch.SEAL_THREADS + number, this::run);
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
        while (hasFailed()) {
          Thread.sleep(PAUSE_AFTER_FAILURE);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // Staging was closed, or the agent stops at once.
      } finally {
        end();
      }
    }

    /** Seals until it is to stop, or fails; returns whether it failed and should start over. */
    private boolean hasFailed() throws InterruptedException {
      dueNanos = Optional.empty();
      try (TailCutter cutter = cutters.open(this)) {
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
            return false;
          }
          dueNanos = Optional.empty();
          context.problems().resolved(SEALING);
        }
        return false;
      } catch (RuntimeException | Error e) {
        reportFailure(e);
        return true;
      }
    }

    /** Waits for a claim, and helps other workers meanwhile; empty when the worker is to end. */
    private Optional<DueQueue.Claim> nextClaim(TailCutter cutter) throws InterruptedException {
      context.blocks().beginHelping();
      try {
        return claimOrHelp(cutter);
      } finally {
        context.blocks().endHelping();
      }
    }

    private Optional<DueQueue.Claim> claimOrHelp(TailCutter cutter) throws InterruptedException {
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

    private void help(TailCutter cutter, SharedBlock block) {
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
      if (suspended || lowered.isPresent() || !neighbour.lowersThreads()) {
        return;
      }
      synchronized (SealWorkers.this) {
        if (!suspended) {
          lowered = starvation.lower();
        }
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
        restedNanos += neighbour.yielding().rest(workedNanos, untilNanos);
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

    private void end() {
      synchronized (SealWorkers.this) {
        living.remove(this);
        hanging.remove(this);
        lowered.ifPresent(starvation::ended);
      }
    }
  }

  /**
   * Waits until the threads have ended, after the queue was closed.
   *
   * @return false when the deadline passed before that
   */
  public boolean awaitEnd(Deadline deadline) throws InterruptedException {
    List<Worker> ending;
    synchronized (this) {
      ending = List.copyOf(living);
    }
    for (Worker worker : ending) {
      if (!deadline.join(worker.thread)) {
        return false;
      }
    }
    return true;
  }

  /** Ends the threads; a segment that is being sealed is dropped. Returns at once. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    context.queue().close();
    context.staging().close();
  }
}
