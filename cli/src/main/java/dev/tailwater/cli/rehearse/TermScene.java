package dev.tailwater.cli.rehearse;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** SIGTERM, as at a shutdown: the agent is told to end as soon as the programs have ended. */
final class TermScene implements Scene {
  @Override
  public String name() {
    return "sigterm";
  }

  @Override
  public SceneResult play(Stage stage) throws IOException, InterruptedException {
    Duration limit = stage.plan().drainDeadline();
    long atRiskBytes = stage.last().atRiskBytes();
    long startNanos = System.nanoTime();
    stage.endProgramsThenAgent();
    boolean inTime = stage.agent().awaitEnd(limit);
    Duration took = Duration.ofNanos(System.nanoTime() - startNanos);
    stage.agent().kill();
    long lostBytes = stage.lostBytes();
    return new SceneResult(
        name(),
        inTime && lostBytes == 0,
        stage.writer().writtenBytes(),
        lostBytes,
        atRiskBytes,
        inTime ? Optional.of(took) : Optional.empty(),
        Optional.of(limit),
        inTime ? "until the process was gone" : "the agent had not ended at the deadline");
  }
}
