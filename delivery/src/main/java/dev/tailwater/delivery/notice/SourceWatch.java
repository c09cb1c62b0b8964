package dev.tailwater.delivery.notice;

import dev.tailwater.delivery.problem.Problems;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Polls one source, whatever goes wrong, until its thread is interrupted. */
final class SourceWatch implements Runnable {
  /** Some clouds give 30 seconds, so a source that fails must be asked again soon. */
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);

  private final NoticeSource source;
  private final NoticeBoard board;
  private final Problems problems;
  private boolean answered;
  private int failures;

  SourceWatch(NoticeSource source, NoticeBoard board, Problems problems) {
    this.source = source;
    this.board = board;
    this.problems = problems;
  }

  @Override
  public void run() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        ask();
        Thread.sleep(pause());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // Closed.
    }
  }

  private void ask() throws InterruptedException {
    try {
      List<Notice> notices = source.ask();
      board.update(source.name(), notices, answered);
      answered = true;
      failures = 0;
      problems.resolved(subject(source));
    } catch (IOException | RuntimeException | Error e) {
      if (Thread.interrupted()) {
        throw new InterruptedException(); // The interrupt closed the connection under the call.
      }
      failures++;
      report(problems, source, e);
    }
  }

  static void report(Problems problems, NoticeSource source, Throwable failure) {
    String message =
        failure instanceof IOException && failure.getMessage() != null
            ? failure.getMessage()
            : failure.toString();
    problems.report(
        subject(source),
        subject(source) + ": " + message,
        Optional.of("it is asked again; 'notices' in the configuration says who is asked"),
        false);
  }

  private static String subject(NoticeSource source) {
    return "notices from " + source.name();
  }

  /** Returns the pause, which doubles with each failure up to a limit. */
  private Duration pause() {
    Duration usual = source.pause();
    Duration most = usual.compareTo(LONGEST_PAUSE) > 0 ? usual : LONGEST_PAUSE;
    Duration least = usual.compareTo(SHORTEST_PAUSE) > 0 ? usual : SHORTEST_PAUSE;
    Duration pause = failures == 0 ? usual : least.multipliedBy(1L << Math.min(failures - 1, 10));
    return pause.compareTo(most) > 0 ? most : pause;
  }
}
