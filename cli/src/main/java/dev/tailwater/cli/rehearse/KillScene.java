package dev.tailwater.cli.rehearse;

import java.io.IOException;
import java.util.Locale;
import java.util.Optional;

/** SIGKILL, as at a power cut: without a warning. The disk is not read again. */
final class KillScene implements Scene {
  @Override
  public String name() {
    return "sigkill";
  }

  @Override
  public SceneResult run(SceneRun run) throws IOException, InterruptedException {
    run.look();
    SceneRun.Look last = run.last();
    run.agent().kill();
    run.writer().stop();
    long bytesPerSecond = Math.max(1, run.bytesPerSecond());
    long writtenBytes = run.writer().writtenBytes();
    long lostBytes = run.lostBytes();
    // What the agent had reported as delivered must be there; the rest may be lost.
    boolean holds = lostBytes <= writtenBytes - last.deliveredBytes();
    return new SceneResult(
        name(),
        holds,
        writtenBytes,
        lostBytes,
        last.atRiskBytes(),
        Optional.empty(),
        Optional.empty(),
        holds ? lostWords(lostBytes, bytesPerSecond) : "LOST bytes that it had called delivered");
  }

  private static String lostWords(long lostBytes, long bytesPerSecond) {
    return lostBytes == 0
        ? "nothing was lost"
        : String.format(
            Locale.ROOT,
            "as promised: lost only the last %.1f s of writing, and nothing called delivered",
            (double) lostBytes / bytesPerSecond);
  }
}
