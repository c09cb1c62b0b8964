package dev.tailwater.cli.rehearse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;

/**
 * A notice that the machine goes away. The programs go on writing for half of the time; at the
 * deadline the machine is gone.
 */
final class NoticeScene implements Scene {
  @Override
  public String name() {
    return "notice";
  }

  @Override
  public SceneResult run(SceneRun run) throws IOException, InterruptedException {
    Duration notice = run.plan().notice();
    long atRiskBytes = run.last().atRiskBytes();
    long startNanos = System.nanoTime();
    long writtenBytes = run.writer().writtenBytes();
    give(run.places().notice(run.scene()), notice);
    Duration half = notice.dividedBy(2);
    Optional<Duration> took = run.awaitDelivered(writtenBytes, half);
    run.runFor(half.minusNanos(System.nanoTime() - startNanos));
    run.writer().stop();
    boolean inTime = run.agent().awaitEnd(notice.minusNanos(System.nanoTime() - startNanos));
    run.agent().kill();
    long lostBytes = run.lostBytes();
    String remark =
        inTime
            ? "what was written by then; the programs wrote on for "
                + half.toMillis() / 1000.0
                + " s"
            : "the agent had not ended at the deadline";
    return new SceneResult(
        name(),
        inTime && lostBytes == 0,
        run.writer().writtenBytes(),
        lostBytes,
        atRiskBytes,
        took,
        Optional.of(notice),
        remark);
  }

  /** Makes the file appear with its whole content at once. */
  private static void give(Path file, Duration notice) throws IOException {
    Path draft = file.resolveSibling("notice.draft");
    Files.writeString(draft, Double.toString(notice.toMillis() / 1000.0));
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
