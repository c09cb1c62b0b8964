package dev.tailwater.delivery.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.neighbour.ThreadPriorities.Lowered;
import dev.tailwater.delivery.tempo.Tempo;
import dev.tailwater.delivery.thread.ThreadMaker;
import dev.tailwater.delivery.thread.ThreadShortage;
import dev.tailwater.delivery.time.Deadline;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

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

  /** So many threads that hang have a substitute at most. */
  private static final int MOST_HANGING = 4;

  private final SealWorker.Crew crew = new OwnCrew();
  private final WorkerContext context;
  private final Function<Pace, Cutter> cutters;
  private final int workers;
  private final int helpers;
  private final Tempo tempo;
  private final ThreadMaker threads;
  private final ThreadShortage shortage;
  private final StarvationMonitor starvation;
  private final Thread maker;

  @GuardedBy("this")
  private final List<SealWorker> living = new ArrayList<>();

  /** Those that hang in a call, or did a moment ago; others have taken their places. */
  @GuardedBy("this")
  private final Set<SealWorker> hanging = new HashSet<>();

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
   * @param cutters opens what a worker seals with
   * @param workers how many there always are
   * @param atFullSpeed how many there are at full speed, if that is more and the system has threads
   */
  public SealWorkers(
      WorkerContext context,
      Function<Pace, Cutter> cutters,
      int workers,
      int atFullSpeed,
      Tempo tempo,
      ThreadMaker threads) {
    this.context = context;
    this.cutters = cutters;
    this.workers = workers;
    this.helpers = Math.max(0, atFullSpeed - workers);
    this.tempo = tempo;
    this.starvation = new StarvationMonitor(context.neighbour(), tempo, context.clocks().nanos());
    this.threads = threads;
    this.shortage = new ThreadShortage(context.problems(), "more threads for sealing");
    this.maker = threads.unstarted("seal-maker", this::makeWorkers);
    tempo.onChange(Tempo.Mode.FULL_SPEED, this::tempoChanged);
  }

  public synchronized void start() {
    for (int i = 0; i < workers; i++) {
      add(false);
    }
    if (context.neighbour().lowersThreads()) {
      maker.start();
    }
  }

  @GuardedBy("this")
  private void add(boolean isHelper) {
    SealWorker worker = new SealWorker(context, cutters, crew, threads, isHelper, started++);
    worker.start();
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
    return suspended && living.stream().anyMatch(SealWorker::isLow);
  }

  private synchronized void look() {
    if (closed) {
      return;
    }
    List<Lowered> low = new ArrayList<>();
    long now = context.clocks().nanos();
    long lateness = context.queue().latenessNanos();
    for (SealWorker worker : living) {
      worker.lowered().ifPresent(low::add);
      lateness = Math.max(lateness, worker.latenessNanos(now));
    }
    urgent = starvation.look(low, lateness, context.queue().maxAgeNanos(), now);
    suspended = fullSpeed || urgent;
    lacksThread = false;
    if (suspended) {
      for (SealWorker worker : List.copyOf(living)) {
        if (worker.isLow()) {
          replace(worker);
        }
      }
    }
  }

  @GuardedBy("this")
  private void replace(SealWorker worker) {
    if (starvation.raise(worker.lowered().orElseThrow())) {
      worker.noteLowered(Optional.empty());
    } else if (tryAdd(worker.isHelper())) {
      worker.replace();
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
    Optional<SealWorker> replaced = replaceHanging(thread);
    if (replaced.isEmpty()) {
      return false;
    }
    replaced.get().held().takeAway();
    context.queue().wake();
    return true;
  }

  private synchronized Optional<SealWorker> replaceHanging(Thread thread) {
    Optional<SealWorker> found = Optional.empty();
    for (SealWorker worker : living) {
      if (worker.thread().equals(thread)) {
        found = Optional.of(worker);
      }
    }
    if (closed || found.isEmpty()) {
      return Optional.empty();
    }
    SealWorker worker = found.get();
    if (!worker.isReplaced() && (hanging.size() >= MOST_HANGING || !tryAdd(worker.isHelper()))) {
      return Optional.empty();
    }
    hanging.add(worker);
    worker.replace();
    return found;
  }

  private synchronized void tempoChanged() {
    boolean before = fullSpeed;
    fullSpeed = tempo.is(Tempo.Mode.FULL_SPEED);
    suspended = fullSpeed || urgent;
    if (fullSpeed && !before && !context.queue().isClosed()) {
      long missing = helpers - living.stream().filter(SealWorker::isHelper).count();
      while (missing > 0 && tryAdd(true)) {
        missing--;
      }
    }
    notifyAll();
  }

  /** What the workers ask and tell. */
  private final class OwnCrew implements SealWorker.Crew {
    @Override
    public boolean isPolitenessSuspended() {
      return suspended;
    }

    @Override
    public void lower(SealWorker worker) {
      synchronized (SealWorkers.this) {
        if (!suspended) {
          worker.noteLowered(starvation.lower());
        }
      }
    }

    @Override
    public void ended(SealWorker worker) {
      synchronized (SealWorkers.this) {
        living.remove(worker);
        hanging.remove(worker);
        worker.lowered().ifPresent(starvation::ended);
      }
    }
  }

  /**
   * Waits until the threads have ended, after the queue was closed.
   *
   * @return false when the deadline passed before that
   */
  public boolean awaitEnd(Deadline deadline) throws InterruptedException {
    List<SealWorker> ending;
    synchronized (this) {
      ending = List.copyOf(living);
    }
    for (SealWorker worker : ending) {
      if (!deadline.join(worker.thread())) {
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
