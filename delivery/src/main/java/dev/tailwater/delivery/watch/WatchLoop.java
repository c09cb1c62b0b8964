package dev.tailwater.delivery.watch;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.hang.HangWatch;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.tail.SuspectedFiles;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.delivery.tempo.Tempo;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.watch.DirectoryWatch;
import dev.tailwater.io.watch.WatchChange;
import dev.tailwater.io.watch.WatchOptions;
import dev.tailwater.io.watch.WatchStatistics;
import dev.tailwater.io.watch.early.EarlyNames;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.ObjIntConsumer;
import java.util.function.UnaryOperator;

/**
 * The watch thread: waits for changes, lets the {@link Observer} apply them, and looks after what
 * no change is reported for. On a quiet machine it costs nothing, since it sleeps in the kernel.
 *
 * <p>A failure is a problem until a look succeeds again. The thread scans the sources again and
 * goes on, since nobody else would look at the files.
 */
public final class WatchLoop {
  private static final int HURRY_MILLIS = 100;
  private static final int QUIET_MILLIS = 60_000;

  /** After this many consecutive failures, requests for a look fail too. */
  private static final int MAX_FAILURES = 3;

  /** How long a look at everything waits until all names are told that came before it. */
  private static final int SETTLE_MILLIS = 2_000;

  /** After this many such looks, names come faster than they can be told. */
  private static final int MAX_UNSETTLED = 10;

  private static final String SUBJECT = "watch";

  private final DirectoryWatch watch;
  private final Optional<Thread> namesThread;
  private final Observer observer;
  private final Problems problems;
  private final Thread thread =
      Thread.ofPlatform().name(HangWatch.WATCH_THREAD).daemon(true).unstarted(this::run);
  private final Tempo tempo;
  private final LongSupplier nanoClock;

  private final WatchRequests requests = new WatchRequests();
  private final CompletableFuture<Void> firstScan = new CompletableFuture<>();
  private final CompletableFuture<Void> firstLook = new CompletableFuture<>();
  private volatile Seen seen;
  private final AtomicLong endedLooks = new AtomicLong();
  private volatile boolean stopped;
  private volatile boolean endNameless;

  /** Consecutive ones; used by the thread only, as the next five are. */
  private int failures;

  /** The requests that the scan under way serves, or the one that comes next. */
  private List<CompletableFuture<Void>> served = List.of();

  private long servedSinceNanos;
  private int unsettledLooks;

  private long lookedNanos;
  private long lookTookNanos;

  /**
   * What a look saw, for other threads.
   *
   * @param waitingFiles how many files wait to be opened
   * @param waitingByOwner the same by the user id of their owners
   * @param unopenedFiles how many files and directories could not be opened
   * @param held whether the search for files waits
   */
  private record Seen(
      WatchStatistics statistics,
      long waitingFiles,
      Map<Long, Long> waitingByOwner,
      long unopenedFiles,
      boolean held) {}

  /**
   * Opens the watch; nothing is scanned before {@link #start}.
   *
   * @param tempo whether files without a name end as soon as they are delivered
   * @param promptly makes work of work that must be done soon after its thread wakes
   */
  public static WatchLoop open(
      FileCalls calls,
      WatchOptions options,
      ObserverContext context,
      Tempo tempo,
      UnaryOperator<Runnable> promptly)
      throws IOException {
    return new WatchLoop(calls, options, context, tempo, promptly);
  }

  private WatchLoop(
      FileCalls calls,
      WatchOptions options,
      ObserverContext context,
      Tempo tempo,
      UnaryOperator<Runnable> promptly)
      throws IOException {
    this.nanoClock = context.settings().clocks().nanoClock();
    this.lookedNanos = nanoClock.getAsLong();
    this.problems = context.problems();
    this.observer = new Observer(context, new SuspectedFiles(this::wakeFromOutside));
    this.watch =
        DirectoryWatch.open(
            calls,
            context.roots(),
            options.withBacklog(observer.backlog()),
            nanoClock,
            Optional.of(observer.early()));
    this.namesThread =
        watch
            .names()
            .map(
                names ->
                    Thread.ofPlatform()
                        .name(HangWatch.NAMES_THREAD)
                        .daemon(true)
                        .unstarted(promptly.apply(names::run)));
    this.seen = new Seen(watch.statistics(), 0, Map.of(), 0, false);
    this.tempo = tempo;
    tempo.onChange(Tempo.Mode.HURRY, this::wake);
  }

  public void start() {
    namesThread.ifPresent(Thread::start);
    thread.start();
  }

  /** Returns a future that completes when everything that was there at the start has been seen. */
  public CompletableFuture<Void> firstScan() {
    return firstScan;
  }

  /**
   * Returns a future that completes when everything that was there at the start has been seen, or
   * the rest {@linkplain #isHeld waits}.
   */
  public CompletableFuture<Void> firstLook() {
    return firstLook;
  }

  /** Returns the statistics of the watch as of the last look. */
  public WatchStatistics statistics() {
    return seen.statistics();
  }

  /**
   * Returns how many files wait to be opened, for lack of descriptors or memory, as of the last
   * look. What is written to them is at risk, and nobody knows how much that is.
   */
  public long waitingFiles() {
    return seen.waitingFiles();
  }

  /** Returns how many files of each owner, by user id, wait to be opened, as of the last look. */
  public Map<Long, Long> waitingByOwner() {
    return seen.waitingByOwner();
  }

  /**
   * Returns how many files could not be opened, as of the last look. What is in them is at risk,
   * and nobody knows how much that is.
   */
  public long unopenedFiles() {
    return seen.unopenedFiles();
  }

  /**
   * Returns whether the search for files waits, as of the last look, until files that were found
   * could be opened. So there may be more than {@link #waitingFiles}.
   */
  public boolean isHeld() {
    return seen.held();
  }

  /** Returns how many times the thread has looked, successfully or not. */
  public long endedLooks() {
    return endedLooks.get();
  }

  /** Returns whether a look has ended that began after so many had, or none will any more. */
  public boolean hasLookedSince(long endedLooks) {
    // The first of two may have been under way.
    return requests.hasEnded() || this.endedLooks.get() - endedLooks >= 2;
  }

  /** Returns whether every file that was looked for is open, or was. */
  public boolean isNothingWaiting() {
    Seen now = seen;
    return !now.held() && now.waitingFiles() == 0;
  }

  /** Returns how many files are left out because somebody else may have linked them there. */
  public long foreignLinks() {
    return observer.foreignLinks();
  }

  /**
   * Scans all sources and looks at every open file. The future completes when that is done, and
   * exceptionally when that fails repeatedly or the watch ends before.
   */
  public CompletableFuture<Void> lookAtEverything() {
    CompletableFuture<Void> done = requests.askForScan();
    wake();
    return done;
  }

  /**
   * Looks at every open file, and notes which of those that have changed wait for room; completes
   * as {@link #execute} does.
   */
  public CompletableFuture<Void> lookAtOpenFiles() {
    return execute(
        () -> {
          observer.refreshAll(nanoClock.getAsLong());
          remember();
        });
  }

  /**
   * Brings a file back to memory, if it left since it is quiet, and passes it to the action before
   * it can leave again; completes as {@link #execute}.
   */
  public CompletableFuture<Void> recall(FileIdentity identity, Consumer<WatchedFile> action) {
    return execute(
        () -> {
          try {
            observer.recall(identity).ifPresent(action);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /**
   * Passes the streams of quiet files that are not in memory to the action, with the number of each
   * destination that has all of it.
   *
   * @param action executed on the watch thread, once for a stream and a destination
   * @param inTime whether there is time for more
   * @return whether all files could be looked at in time
   */
  public CompletableFuture<Boolean> forEachQuietStream(
      ObjIntConsumer<StreamId> action, BooleanSupplier inTime) {
    AtomicBoolean all = new AtomicBoolean();
    return execute(() -> all.set(observer.forEachQuietStream(action, inTime)))
        .thenApply(_ -> all.get());
  }

  /** Closes the files that left memory; after {@link #close}. */
  public void closeQuietFiles() throws IOException {
    observer.closeQuietFiles();
  }

  /** Returns what is known to be in no archive. */
  public Losses losses() {
    return observer.losses();
  }

  /** Returns the time of the last arrival at a path; it may be ahead of the clock. */
  public long lastArrivalMillis() {
    return observer.lastArrivalMillis();
  }

  /**
   * Executes work on the watch thread, between two looks. The future completes when that is done,
   * exceptionally when it fails, and is cancelled when the watch is closed before.
   */
  public CompletableFuture<Void> execute(Runnable work) {
    CompletableFuture<Void> done = requests.order(work);
    wake();
    return done;
  }

  /** Ends files without a name as soon as they are delivered, since nobody will look again. */
  public void endNamelessAtOnce() {
    endNameless = true;
    wake();
  }

  /** Wakes the thread, unless it is the caller: it looks again before it sleeps. */
  private void wakeFromOutside() {
    if (!Thread.currentThread().equals(thread)) {
      wake();
    }
  }

  private void wake() {
    try {
      watch.wake();
    } catch (ErrnoException e) {
      problems.report(SUBJECT, e, "the watch notices at its next tick");
    }
  }

  private void run() {
    try {
      while (!stopped) {
        try {
          lookOnce();
        } catch (Throwable e) {
          // Not even a failure to report may end the thread: nobody else looks at the files.
          pauseAfterFailure();
        }
      }
    } finally {
      requests.askAgain(served);
      requests.end(new CancellationException("the watch has ended"));
      closeWatch();
    }
  }

  /** Looks once. A failure is reported, and the next look scans everything again. */
  private void lookOnce() {
    // A request that comes while a scan is under way may have missed what it asks for. The next one
    // serves it, and does not wait: the call that woke this thread is spent.
    if (served.isEmpty()) {
      takeRequests();
    }
    try {
      requests.executeOrders(observer::destinationsChanged);
      boolean settled = step();
      failures = 0;
      problems.resolved(SUBJECT);
      if (!watch.isScanning()) {
        answer(settled);
      }
    } catch (Throwable e) {
      failed(e);
      firstScan.complete(null);
    }
    if (!watch.isScanning()) {
      firstScan.complete(null);
    }
    if (seen.held() || firstScan.isDone()) {
      firstLook.complete(null);
    }
    endedLooks.incrementAndGet();
  }

  /** Ends the requests that a complete scan has served, or has them served again. */
  private void answer(boolean settled) {
    unsettledLooks = settled || served.isEmpty() ? 0 : unsettledLooks + 1;
    if (settled) {
      served.forEach(done -> done.complete(null));
    } else if (unsettledLooks < MAX_UNSETTLED) {
      requests.askAgain(served); // Files of which nobody was told yet may be missed.
    } else {
      observer.early().cannotKeepUp();
      served.forEach(done -> done.complete(null));
    }
    served = List.of();
  }

  private void failed(Throwable why) {
    failures++;
    try {
      remember();
      watch.requestScan();
      problems.report(SUBJECT, message(why), Optional.of("the sources are scanned again"), false);
    } finally {
      // After the report: a run that ends because of this must have said why.
      if (failures < MAX_FAILURES) {
        requests.askAgain(served);
      } else {
        served.forEach(done -> done.completeExceptionally(why));
      }
      served = List.of();
    }
    pauseAfterFailure();
  }

  private static String message(Throwable why) {
    return why instanceof IOException
        ? String.valueOf(why.getMessage())
        : "watching failed: " + why;
  }

  /** Looks once; false if not all names were told that had come until then. */
  private boolean step() throws IOException {
    boolean hurry = tempo.is(Tempo.Mode.HURRY);
    long beganNanos = nanoClock.getAsLong();
    List<WatchChange> changes = watch.poll(waitMillis(hurry));
    boolean complete = !watch.isScanning();
    boolean lookAtAll = complete && !served.isEmpty();
    boolean wasBehind = isBehind(lookAtAll);
    boolean isLast = !wasBehind && (lookAtAll || (complete && hurry));
    observer.apply(
        changes, new Observer.Look(watch::knows, complete, wasBehind, this::isWatchAhead, isLast));
    if (failures > 0) {
      observer.retryUnopened(); // So that the look includes what failed before.
    }
    if (complete) {
      observer.firstScanDone();
    }
    boolean mayRest = complete || watch.isHeld();
    if (lookAtAll || (hurry && mayRest && mayLookAgain())) {
      long startNanos = nanoClock.getAsLong();
      observer.refreshAll(lookAtAll ? servedSinceNanos : beganNanos);
      lookedNanos = nanoClock.getAsLong();
      lookTookNanos = lookedNanos - startNanos;
    }
    if (hurry || observer.sweepAfterMillis().isPresent()) {
      observer.sweep(hurry, endNameless);
    }
    remember();
    return !wasBehind;
  }

  private void remember() {
    seen =
        new Seen(
            watch.statistics(),
            observer.waitingFiles(),
            observer.waitingByOwner(),
            observer.unopenedFiles(),
            watch.isHeld());
  }

  /** Returns whether names are not told yet of which the watch has seen the events. */
  private boolean isBehind(boolean lookAtAll) throws ErrnoException {
    Optional<EarlyNames> names = watch.names();
    if (names.isEmpty()) {
      return false;
    }
    return lookAtAll ? !names.get().settle(SETTLE_MILLIS) : names.get().wasBehind();
  }

  private boolean isWatchAhead() {
    return watch.names().filter(EarlyNames::isBehind).isPresent();
  }

  /** Returns whether looking at every open file takes at most a tenth of this thread's time. */
  private boolean mayLookAgain() {
    return nanoClock.getAsLong() - lookedNanos >= 9 * lookTookNanos;
  }

  private int waitMillis(boolean hurry) {
    if (!served.isEmpty() && !watch.isHeld()) {
      return 0;
    }
    return hurry ? HURRY_MILLIS : observer.sweepAfterMillis().orElse(QUIET_MILLIS);
  }

  private static void pauseAfterFailure() {
    try {
      Thread.sleep(Duration.ofMillis(HURRY_MILLIS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void takeRequests() {
    served = requests.takeScans();
    if (!served.isEmpty()) {
      watch.requestScan();
      servedSinceNanos = nanoClock.getAsLong();
    }
  }

  /**
   * Ends the thread and the watch; files stay open. If a look hangs for longer, the watch is closed
   * when it returns.
   */
  public void close(Duration atMost) {
    stopped = true;
    try {
      wake();
      if (thread.isAlive()) {
        thread.join(atMost);
      }
      if (namesThread.isPresent() && !thread.isAlive() && namesThread.get().isAlive()) {
        namesThread.get().join(atMost); // The end of the watch has ended it.
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      requests.end(new CancellationException("the watch is closed"));
      if (thread.getState() == Thread.State.NEW) {
        closeWatch();
      }
    }
  }

  private void closeWatch() {
    try {
      watch.close();
    } catch (IOException | RuntimeException e) {
      problems.report(SUBJECT, message(e), Optional.of("nothing is lost; the agent ends"), true);
    } finally {
      observer.close();
    }
  }
}
