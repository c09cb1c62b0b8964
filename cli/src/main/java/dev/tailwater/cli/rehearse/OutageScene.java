package dev.tailwater.cli.rehearse;

import dev.tailwater.cli.value.ByteSizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** An outage of the destination, and SIGTERM after it. */
final class OutageScene implements Scene {
  /**
   * The time that an agent may need to notice the end of the outage, because it retries after
   * pauses.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @Override
  public String name() {
    return "network";
  }

  @Override
  public SceneResult run(SceneRun run) throws IOException, InterruptedException {
    Duration outage = run.plan().outage();
    Path cut = run.places().cut(run.scene());
    Files.createFile(cut);
    run.mostAtRiskBytes();
    run.runFor(outage);
    long writtenBytes = run.writer().writtenBytes();
    Files.delete(cut);
    Optional<Duration> took = run.awaitDelivered(writtenBytes, outage.plus(PATIENCE));
    long atRiskBytes = run.mostAtRiskBytes();
    run.endProgramsThenAgent();
    boolean inTime = run.agent().awaitEnd(run.plan().drainDeadline());
    run.agent().kill();
    long lostBytes = run.lostBytes();
    return new SceneResult(
        name(),
        took.isPresent() && inTime && lostBytes == 0,
        run.writer().writtenBytes(),
        lostBytes,
        atRiskBytes,
        took,
        Optional.empty(),
        took.isPresent()
            ? "until all of it had arrived, after "
                + outage.toMillis() / 1000.0
                + " s without a network"
            : "not caught up, "
                + ByteSizes.forPeople(run.last().atRiskBytes())
                + " were still at risk");
  }
}
