package dev.tailwater.cli.rehearse;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** SIGTERM, as at a shutdown: the agent is terminated as soon as the programs have ended. */
final class TermScene implements Scene {
  @Override
  public String name() {
    return "sigterm";
  }

  @Override
  public SceneResult run(SceneRun run) throws IOException, InterruptedException {
    Duration limit = run.plan().drainDeadline();
    long atRiskBytes = run.last().atRiskBytes();
    long startNanos = System.nanoTime();
    run.endProgramsThenAgent();
    boolean inTime = run.agent().awaitEnd(limit);
    Duration took = Duration.ofNanos(System.nanoTime() - startNanos);
    run.agent().kill();
    long lostBytes = run.lostBytes();
    return new SceneResult(
        name(),
        inTime && lostBytes == 0,
        run.writer().writtenBytes(),
        lostBytes,
        atRiskBytes,
        inTime ? Optional.of(took) : Optional.empty(),
        Optional.of(limit),
        inTime ? "until the process was gone" : "the agent had not ended at the deadline");
  }
}
