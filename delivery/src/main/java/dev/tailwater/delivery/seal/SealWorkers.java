package dev.tailwater.delivery.seal;

import dev.tailwater.archive.seal.SegmentSealer;
import dev.tailwater.delivery.neighbour.Neighbour;
import dev.tailwater.delivery.neighbour.ThreadPriorities.Lowered;
import dev.tailwater.delivery.tail.SharedDescriptor;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.thread.ThreadMaker;
import dev.tailwater.delivery.thread.ThreadShortage;
import dev.tailwater.destination.DestinationException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The threads that cut segments. Compression is the cost, so there are as many as told; in a hurry
 * as many as can run.
 *
 * <p>They lower themselves. In a hurry those that cannot be raised again end with their present
 * block, and new ones take their place: a thread that was never lowered, and does nothing else,
 * makes them, since a thread begins with the priority of its maker.
 */
public final class SealWorkers implements AutoCloseable {
  private static final String LISTING = "listing the destination";
  private static final String MAKING = "looking after the threads for sealing";
  private static final String SEALING = "sealing";
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(250);
  private static final long FILE_RETRY_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long DESTINATION_RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final SealContext context;
  private final Supplier<SegmentSealer> sealers;
  private final int workers;
  private final int helpers;
  private final Neighbour neighbour;
  private final ThreadMaker threads;
  private final ThreadShortage shortage;
  private final StarvationMonitor ranks;
  private final Thread maker;
  private final List<Worker> living = new ArrayList<>();
  private int hurries;
  private boolean urgent;
  private boolean closed;

  /** Whether one that is low could not be replaced when it was last tried. */
  private volatile boolean lacksThread;

  private int started;
  private volatile boolean suspended;

  /**
   * Does nothing before the start.
   *
   * @param workers how many there always are
   * @param inAHurry how many there are in a hurry, if that is more and threads can be had
   */
  public SealWorkers(
      SealContext context,
      Supplier<SegmentSealer> sealers,
      int workers,
      int inAHurry,
      Neighbour neighbour,
      ThreadMaker threads) {
    this.context = context;
    this.sealers = sealers;
    this.workers = workers;
    this.helpers = Math.max(0, inAHurry - workers);
    this.neighbour = neighbour;
    this.ranks = new StarvationMonitor(neighbour, context.nanoClock().getAsLong());
    this.threads = threads;
    this.shortage = new ThreadShortage(context.problems(), "more threads for sealing");
    this.maker = threads.unstarted("seal-maker", this::makeWorkers);
  }

  public synchronized void start() {
    for (int i = 0; i < workers; i++) {
      add(false);
    }
    if (neighbour.lowersThreads()) {
      maker.start();
    }
  }

  private void add(boolean isHelper) {
    Worker worker = new Worker(isHelper);
    worker.thread.start();
    living.add(worker);
  }

  /** False when there is no thread to be had: those that there are do the work. */
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

  /** Sees to it that there are workers that are not lowered while all politeness is suspended. */
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
      lacksThread = true; // Not again at once.
      context
          .problems()
          .reportHarmless(
              MAKING,
              "the threads for sealing cannot be looked after: " + e,
              Optional.of("this should not happen; they go on, and it is tried again"),
              false);
    }
  }

  private synchronized boolean awaitLook() throws InterruptedException {
    if (!closed && (lacksThread || !mustReplace())) {
      TimeUnit.NANOSECONDS.timedWait(this, StarvationMonitor.LOOK_NANOS);
    }
    return !closed;
  }

  private boolean mustReplace() {
    return suspended && living.stream().anyMatch(Worker::isLow);
  }

  private synchronized void look() {
    if (closed) {
      return;
    }
    List<Lowered> low = new ArrayList<>();
    long now = context.nanoClock().getAsLong();
    long lateness = context.queue().latenessNanos();
    for (Worker worker : living) {
      worker.lowered.ifPresent(low::add);
      lateness = Math.max(lateness, worker.latenessNanos(now));
    }
    urgent = ranks.look(low, lateness, context.queue().maxAgeNanos(), now);
    suspended = hurries > 0 || urgent;
    lacksThread = false;
    if (suspended) {
      List.copyOf(living).stream().filter(Worker::isLow).forEach(this::replace);
    }
  }

  private void replace(Worker worker) {
    if (ranks.raise(worker.lowered.orElseThrow())) {
      worker.lowered = Optional.empty();
    } else if (tryAdd(worker.isHelper)) {
      worker.replaced = true;
      context.queue().wake();
    } else {
      lacksThread = true; // The low one goes on.
    }
  }

  /**
   * More of them from now on, and none is low; or, when all who asked for that are done, as many as
   * always.
   */
  public synchronized void hurry(boolean hurry) {
    hurries += hurry ? 1 : -1;
    suspended = hurries > 0 || urgent;
    if (hurry && hurries == 1 && !context.queue().isClosed()) {
      long missing = helpers - living.stream().filter(w -> w.isHelper).count();
      while (missing > 0 && tryAdd(true)) {
        missing--;
      }
    }
    notifyAll();
  }

  /** One thread. */
  private final class Worker implements Pace {
    private final boolean isHelper;
    private final Thread thread;
    private volatile Optional<Lowered> lowered = Optional.empty();
    private volatile boolean replaced;
    private volatile Optional<Long> dueNanos = Optional.empty();
    private long workedSinceNanos;
    private long restedNanos;

    Worker(boolean isHelper) {
      this.isHelper = isHelper;
      this.thread = threads.unstarted("seal-" + started++, this::run);
    }

    /** Not yet replaced and lower than it was. */
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
        Thread.currentThread().interrupt(); // Staging was closed, or the agent is stopped at once.
      } finally {
        end();
      }
    }

    /** Seals until it is to go; returns whether it failed before, and should begin anew. */
    private boolean hasFailed() throws InterruptedException {
      dueNanos = Optional.empty();
      try (SegmentCutter cutter = new SegmentCutter(context, sealers.get(), this)) {
        settle();
        for (Optional<DueQueue.Claim> claim = nextClaim(); claim.isPresent(); claim = nextClaim()) {
          Tail tail = claim.get().tail();
          try {
            begin(claim.get().dueNanos());
            if (!replaced) {
              cut(cutter, tail, claim.get().dueNanos());
            }
          } finally {
            context.queue().release(tail);
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

    private Optional<DueQueue.Claim> nextClaim() throws InterruptedException {
      return context.queue().claim(isHelper, () -> replaced);
    }

    private void begin(long claimDueNanos) {
      dueNanos = Optional.of(claimDueNanos);
      restedNanos = 0;
      workedSinceNanos = context.nanoClock().getAsLong();
      settle();
    }

    /** Lowers itself, unless all politeness is suspended. */
    private void settle() {
      if (suspended || lowered.isPresent() || !neighbour.lowersThreads()) {
        return;
      }
      synchronized (SealWorkers.this) {
        if (!suspended) {
          lowered = ranks.lower();
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
        long workedNanos = context.nanoClock().getAsLong() - workedSinceNanos;
        restedNanos += neighbour.yielding().rest(workedNanos, untilNanos);
        workedSinceNanos = context.nanoClock().getAsLong();
      }
      return !replaced;
    }

    @Override
    public long restedNanos() {
      return restedNanos;
    }

    private void end() {
      synchronized (SealWorkers.this) {
        living.remove(this);
        lowered.ifPresent(ranks::ended);
      }
    }
  }

  private void cut(SegmentCutter cutter, Tail tail, long dueNanos) throws InterruptedException {
    String subject = tail.name().toString();
    Optional<SharedDescriptor.Lease> lease = tail.lease();
    if (lease.isEmpty()) {
      defer(tail, FILE_RETRY_NANOS); // Gone, or no descriptor left; the watch settles which.
      return;
    }
    // Reads go on for long; closed meanwhile, the number would lead to another file.
    try (SharedDescriptor.Lease open = lease.get()) {
      cutter.cut(tail, open.fd(), dueNanos);
      tail.undefer();
      context.problems().resolved(subject);
      context.problems().resolved(LISTING);
    } catch (DestinationException e) {
      context
          .problems()
          .report(LISTING, String.valueOf(e.getMessage()), Optional.of(e.hint()), false);
      defer(tail, DESTINATION_RETRY_NANOS);
    } catch (Error e) {
      defer(tail, FILE_RETRY_NANOS);
      throw e;
    } catch (IOException | RuntimeException e) {
      // One bad file does not stop the rest; its bytes stay at risk and are tried again.
      context.problems().report(subject, e, "the file stays at risk and is tried again");
      defer(tail, FILE_RETRY_NANOS);
    }
  }

  private void defer(Tail tail, long nanos) {
    tail.defer(context.nanoClock().getAsLong() + nanos);
  }

  /** Waits until the threads have ended, after the queue was closed. */
  public boolean awaitEnd(long timeoutMillis) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    List<Worker> ending;
    synchronized (this) {
      ending = List.copyOf(living);
    }
    for (Worker worker : ending) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (worker.thread.isAlive() && !worker.thread.join(Duration.ofMillis(Math.max(1, left)))) {
        return false;
      }
    }
    return true;
  }

  /** Ends the threads at once; a segment that is being sealed is dropped. */
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
