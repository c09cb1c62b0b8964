package dev.tailwater.delivery.notice;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.time.Deadline;
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

  @GuardedBy("this")
  private final List<NoticeSource> sources = new ArrayList<>();

  @GuardedBy("this")
  private final List<Thread> threads = new ArrayList<>();

  @GuardedBy("this")
  private boolean closed;

  @GuardedBy("this")
  private String reason = "";

  private Notices(NoticeBoard board, Problems problems) {
    this.board = board;
    this.problems = problems;
  }

  /** Finds sources, for example by detecting the cloud. */
  @FunctionalInterface
  public interface Finder {
    Detection find() throws InterruptedException;
  }

  /**
   * Starts watching.
   *
   * @param known sources that are watched at once
   * @param finder asked once for more sources, on another thread
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

  /** Returns what is known now. */
  public NoticeForecast forecast() {
    return board.forecast();
  }

  /** Returns the names of the sources that are watched. */
  public synchronized List<String> watched() {
    return sources.stream().map(NoticeSource::name).toList();
  }

  /** Returns why sources were found, or none; empty when nothing was looked for. */
  public synchronized String reason() {
    return reason;
  }

  /**
   * Tells the sources that gave notice of a termination that nothing is at risk; returns at once.
   *
   * @param ended whether reading has stopped for good
   * @return the threads that tell them, to be waited for before the process ends
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

  /** Waits for the threads of {@link #safe}, but no longer than this. */
  public static void await(List<Thread> telling, Duration atMost) throws InterruptedException {
    Deadline deadline = Deadline.after(atMost);
    for (Thread thread : telling) {
      var _ = deadline.join(thread);
    }
  }

  /** Stops watching; returns at once. */
  @Override
  public synchronized void close() {
    closed = true;
    threads.forEach(Thread::interrupt);
  }
}
