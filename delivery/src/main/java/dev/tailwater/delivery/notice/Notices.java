package dev.tailwater.delivery.notice;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.problem.Problems;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Watches any number of sources, each on a virtual thread of its own, until it is closed.
 * Thread-safe.
 */
public final class Notices implements AutoCloseable {
  private final NoticeBoard board;
  private final Problems problems;

  /** Guarded by {@code this}. */
  @GuardedBy("this")
  private final List<NoticeSource> sources = new ArrayList<>();

  /** Guarded by {@code this}. */
  @GuardedBy("this")
  private final List<Thread> threads = new ArrayList<>();

  @GuardedBy("this")
  private boolean closed;

  /** Guarded by {@code this}. */
  @GuardedBy("this")
  private String reason = "";

  private Notices(NoticeBoard board, Problems problems) {
    this.board = board;
    this.problems = problems;
  }

  /** Finds sources, such as by looking which cloud this is. */
  @FunctionalInterface
  public interface Finder {
    Detection find() throws InterruptedException;
  }

  /**
   * Begins to watch.
   *
   * @param known sources that are watched at once
   * @param finder is asked once, aside, for more of them
   * @param nanoClock a monotonic clock
   */
  public static Notices start(
      List<NoticeSource> known,
      Finder finder,
      Problems problems,
      LongSupplier nanoClock,
      NoticeListener listener) {
    Notices notices = new Notices(new NoticeBoard(nanoClock, listener), problems);
    known.forEach(notices::watch);
    notices.start(
        "notices",
        () -> {
          try {
            notices.found(finder.find());
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // Closed.
          } catch (RuntimeException | Error e) {
            problems.report(
                "notices",
                "asking which cloud this is failed: " + e,
                Optional.of("name it (notices: ec2, gce, azure), or switch notices off"),
                true);
          }
        });
    return notices;
  }

  private synchronized void found(Detection detection) {
    reason = detection.reason();
    detection.sources().forEach(this::watch);
  }

  private synchronized void watch(NoticeSource source) {
    if (!closed) {
      sources.add(source);
      start("notices-" + source.name(), new SourceWatch(source, board, problems));
    }
  }

  private synchronized void start(String name, Runnable task) {
    threads.add(Thread.ofVirtual().name(name).start(task));
  }

  /** What is known now. */
  public NoticeForecast forecast() {
    return board.forecast();
  }

  /** Who is watched. */
  public synchronized List<String> watched() {
    return sources.stream().map(NoticeSource::name).toList();
  }

  /** Why those that were looked for are watched, or none; empty where nothing was looked for. */
  public synchronized String reason() {
    return reason;
  }

  /**
   * Tells those who told of a termination that nothing is at risk; returns at once.
   *
   * @param ended whether reading has stopped for ever
   * @return to be waited for by who ends the process
   */
  public synchronized List<Thread> safe(boolean ended) {
    List<String> concerned =
        forecast().active().stream()
            .filter(ActiveNotice::isTermination)
            .map(ActiveNotice::source)
            .toList();
    List<Thread> telling = new ArrayList<>();
    for (NoticeSource source : sources) {
      if (concerned.contains(source.name())) {
        telling.add(
            Thread.ofVirtual().name("safe-" + source.name()).start(() -> tell(source, ended)));
      }
    }
    return telling;
  }

  private void tell(NoticeSource source, boolean ended) {
    try {
      source.safe(ended);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      SourceWatch.report(problems, source, e);
    }
  }

  /** Waits for threads of {@link #safe}, but not longer than this. */
  public static void await(List<Thread> telling, Duration atMost) throws InterruptedException {
    long deadlineNanos = System.nanoTime() + atMost.toNanos();
    for (Thread thread : telling) {
      long leftNanos = deadlineNanos - System.nanoTime();
      if (leftNanos > 0) {
        thread.join(Duration.ofNanos(leftNanos));
      }
    }
  }

  /** Stops watching; nothing is waited for. */
  @Override
  public synchronized void close() {
    closed = true;
    threads.forEach(Thread::interrupt);
  }
}
