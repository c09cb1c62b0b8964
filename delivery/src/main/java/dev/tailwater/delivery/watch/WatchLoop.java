package dev.tailwater.delivery.watch;

import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.tail.SuspectedFiles;
import dev.tailwater.delivery.tail.TailOpener;
import dev.tailwater.io.watch.DirectoryWatch;
import dev.tailwater.io.watch.WatchOptions;
import dev.tailwater.io.watch.WatchStatistics;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The watch thread: waits for changes, lets the {@link Observer} apply them, and looks after what
 * no change is reported for. A quiet machine costs nothing: the thread sleeps in the kernel.
 *
 * <p>Whatever goes wrong is a problem until a look succeeds again; the thread scans the sources
 * anew and goes on, as nobody else would look at the files.
 */
public final class WatchLoop {
  /** The subject under which it is reported that more files are at risk than may be open. */
  public static final String DESCRIPTORS = "open files";

  private static final int HURRY_MILLIS = 100;
  private static final int QUIET_MILLIS = 60_000;

  /** After so many failures in a row, whoever waits for a look is told that there is none. */
  private static final int MAX_FAILURES = 3;

  private static final String SUBJECT = "watch";

  private final DirectoryWatch watch;
  private final Observer observer;
  private final Problems problems;
  private final Thread thread = Thread.ofPlatform().name("watch").daemon(true).unstarted(this::run);
  private final Queue<CompletableFuture<Void>> requests = new ArrayDeque<>();
  private final Queue<Order> orders = new ArrayDeque<>();
  private final CompletableFuture<Void> firstScan = new CompletableFuture<>();
  private volatile WatchStatistics statistics;
  private volatile boolean stopped;
  private volatile boolean endNameless;
  private final AtomicInteger hurries = new AtomicInteger();

  /** In a row; of the thread. */
  private int failures;

  /** Why nobody serves requests and orders any more; guarded as they are. */
  private Optional<Throwable> end = Optional.empty();

  /** Something to be done on the watch thread. */
  private record Order(Runnable work, CompletableFuture<Void> done) {}

  /** Opens the watch; nothing is scanned before {@link #start}. */
  public static WatchLoop open(
      FileCalls calls,
      List<PosixPath> roots,
      WatchOptions options,
      ObserverSettings settings,
      TailOpener opener,
      FileRegistry registry,
      List<TailKeeper> keepers,
      Problems problems)
      throws IOException {
    DirectoryWatch watch = DirectoryWatch.open(calls, roots, options, settings.nanoClock());
    return new WatchLoop(watch, settings, roots, opener, registry, keepers, problems);
  }

  private WatchLoop(
      DirectoryWatch watch,
      ObserverSettings settings,
      List<PosixPath> roots,
      TailOpener opener,
      FileRegistry registry,
      List<TailKeeper> keepers,
      Problems problems) {
    this.watch = watch;
    this.problems = problems;
    SuspectedFiles suspects = new SuspectedFiles(this::wakeFromOutside);
    this.observer = new Observer(settings, roots, opener, registry, keepers, suspects, problems);
    this.statistics = watch.statistics();
  }

  public void start() {
    thread.start();
  }

  /** Completes when everything that was there at the start has been seen. */
  public CompletableFuture<Void> firstScan() {
    return firstScan;
  }

  /** What the watch looked after and had done when it last told of changes. */
  public WatchStatistics statistics() {
    return statistics;
  }

  /** How many files are left out since somebody else may have linked them to where they are. */
  public long foreignLinks() {
    return observer.foreignLinks();
  }

  /**
   * Scans all sources and looks at every open file; completes when that is done, and exceptionally
   * when that fails again and again, or the watch has ended or ends before.
   */
  public CompletableFuture<Void> lookAtEverything() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    watch.requestScan(); // Before the request is seen, so that whoever serves it has scanned.
    synchronized (requests) {
      if (end.isPresent()) {
        return CompletableFuture.failedFuture(end.get());
      }
      requests.add(done);
    }
    wake();
    return done;
  }

  /** Looks at every open file; completes as {@link #execute} does. */
  public CompletableFuture<Void> lookAtOpenFiles() {
    return execute(observer::refreshAll);
  }

  /** What is known to be in no archive. */
  public Losses losses() {
    return observer.losses();
  }

  /**
   * Has something done on the watch thread, between two looks; completes when that is done,
   * exceptionally when that fails, and is cancelled when the watch is closed before.
   */
  public CompletableFuture<Void> execute(Runnable work) {
    Order order = new Order(work, new CompletableFuture<>());
    synchronized (requests) {
      if (end.isPresent()) {
        return CompletableFuture.failedFuture(end.get());
      }
      orders.add(order);
    }
    wake();
    return order.done();
  }

  /** From now on files without a name end as soon as they are delivered: nobody will look again. */
  public void endNamelessAtOnce() {
    endNameless = true;
    wake();
  }

  /**
   * From now on files without a name are ended as soon as they are delivered; or, when all who
   * asked for that are done, no more so.
   */
  public void hurry(boolean hurry) {
    hurries.addAndGet(hurry ? 1 : -1);
    wake();
  }

  /** The thread itself looks at what it has found before it sleeps again. */
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
          // Even a failure to report must not end the thread: nobody else looks at the files.
          pauseAfterFailure();
        }
      }
    } finally {
      end(new CancellationException("the watch has ended"));
      closeWatch();
    }
  }

  /** One look; what goes wrong with it is reported, and the next one scans everything anew. */
  private void lookOnce() {
    // A request made while poll is under way may have missed its scan, so it waits for the next.
    List<CompletableFuture<Void>> served = takeRequests();
    try {
      executeOrders();
      step(!served.isEmpty());
      failures = 0;
      problems.resolved(SUBJECT);
      served.forEach(done -> done.complete(null));
    } catch (Throwable e) {
      failed(e, served);
    }
    firstScan.complete(null);
  }

  private void failed(Throwable why, List<CompletableFuture<Void>> served) {
    failures++;
    try {
      watch.requestScan();
      problems.report(SUBJECT, message(why), Optional.of("the sources are scanned again"), false);
    } finally {
      // Told after the report: a run that ends then is to have said why.
      if (failures < MAX_FAILURES) {
        askAgain(served);
      } else {
        served.forEach(done -> done.completeExceptionally(why));
      }
    }
    pauseAfterFailure();
  }

  private static String message(Throwable why) {
    return why instanceof IOException
        ? String.valueOf(why.getMessage())
        : "watching failed: " + why;
  }

  private void askAgain(List<CompletableFuture<Void>> unserved) {
    synchronized (requests) {
      requests.addAll(unserved);
    }
  }

  private void end(Throwable why) {
    List<CompletableFuture<Void>> unserved = new ArrayList<>();
    synchronized (requests) {
      end = end.or(() -> Optional.of(why));
      unserved.addAll(requests);
      orders.forEach(order -> unserved.add(order.done()));
      requests.clear();
      orders.clear();
    }
    unserved.forEach(done -> done.completeExceptionally(why));
  }

  private void executeOrders() {
    for (Optional<Order> next = nextOrder(); next.isPresent(); next = nextOrder()) {
      Order order = next.get();
      try {
        order.work().run();
        observer.destinationsChanged();
        order.done().complete(null);
      } catch (RuntimeException e) {
        order.done().completeExceptionally(e);
      } catch (Error e) {
        order.done().completeExceptionally(e);
        throw e;
      }
    }
  }

  private Optional<Order> nextOrder() {
    synchronized (requests) {
      return Optional.ofNullable(orders.poll());
    }
  }

  private void step(boolean lookAtAll) throws IOException {
    boolean hurry = hurries.get() > 0;
    observer.apply(
        watch.poll(hurry ? HURRY_MILLIS : observer.sweepAfterMillis().orElse(QUIET_MILLIS)));
    statistics = watch.statistics();
    if (failures > 0) {
      observer.retryUnopened(); // A look is complete only with what failed before.
    }
    observer.firstScanDone();
    if (hurry || lookAtAll) {
      observer.refreshAll();
    }
    if (hurry || observer.sweepAfterMillis().isPresent()) {
      observer.sweep(hurry, endNameless);
    }
  }

  private static void pauseAfterFailure() {
    try {
      Thread.sleep(Duration.ofMillis(HURRY_MILLIS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<CompletableFuture<Void>> takeRequests() {
    synchronized (requests) {
      List<CompletableFuture<Void>> taken = new ArrayList<>(requests);
      requests.clear();
      return taken;
    }
  }

  /**
   * Ends the thread and the watch. Files stay open. A look that takes longer hangs, and the watch
   * is closed when it returns.
   */
  public void close(Duration atMost) {
    stopped = true;
    try {
      wake();
      if (thread.isAlive()) {
        thread.join(atMost);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      end(new CancellationException("the watch is closed"));
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
    }
  }
}
