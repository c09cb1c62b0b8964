package dev.tailwater.cli.rehearse;

import dev.tailwater.cli.value.ByteSizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The destination cannot be reached for a while; then SIGTERM. */
final class OutageScene implements Scene {
  /** An agent that tries again after pauses may need so long to notice. */
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @Override
  public String name() {
    return "network";
  }

  @Override
  public SceneResult play(Stage stage) throws IOException, InterruptedException {
    Duration outage = stage.plan().outage();
    Path cut = stage.places().cut(stage.scene());
    Files.createFile(cut);
    stage.mostAtRiskBytes();
    stage.playFor(outage);
    long writtenBytes = stage.writer().writtenBytes();
    Files.delete(cut);
    Optional<Duration> took = stage.awaitDelivered(writtenBytes, outage.plus(PATIENCE));
    long atRiskBytes = stage.mostAtRiskBytes();
    stage.endProgramsThenAgent();
    boolean inTime = stage.agent().awaitEnd(stage.plan().drainDeadline());
    stage.agent().kill();
    long lostBytes = stage.lostBytes();
    return new SceneResult(
        name(),
        took.isPresent() && inTime && lostBytes == 0,
        stage.writer().writtenBytes(),
        lostBytes,
        atRiskBytes,
        took,
        Optional.empty(),
        took.isPresent()
            ? "until all of it had arrived, after "
                + outage.toMillis() / 1000.0
                + " s without a network"
            : "not caught up, "
                + ByteSizes.forPeople(stage.last().atRiskBytes())
                + " were still at risk");
  }
}
