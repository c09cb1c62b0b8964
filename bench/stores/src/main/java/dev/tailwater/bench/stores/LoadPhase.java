package dev.tailwater.bench.stores;

import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.stores.EngineKind.Opening;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Loads the stores, each from nothing, and kills the process at once when all is on disk; opens
 * them in a new process, closes them, and opens them in one more. No code of that engine has run in
 * such a process before, and the files are in the page cache.
 */
final class LoadPhase {
  private final Contest contest;
  private final int rounds;

  LoadPhase(Contest contest, int rounds) {
    this.contest = contest;
    this.rounds = rounds;
  }

  void run() throws InterruptedException {
    for (int round = 0; round < rounds; round++) {
      for (EngineKind kind : contest.kinds()) {
        if (kind.writes()) {
          contest.attempt("load", kind, () -> load(kind));
        }
      }
    }
  }

  /** Loads what is not there, and measures nothing. */
  void loadMissing() throws InterruptedException {
    for (EngineKind kind : contest.kinds()) {
      Path directory = contest.directory(kind);
      if (!Files.exists(directory)) {
        contest.attempt(
            "load",
            kind,
            () -> {
              EngineProcess process = contest.fresh(kind);
              process.ask("load");
              process.ask("settle");
              process.ask("close");
            });
      }
    }
  }

  private void load(EngineKind kind) throws IOException, InterruptedException {
    Figures figures = contest.figures();
    String label = kind.label();
    Path directory = contest.directory(kind);
    ProgramOptions.delete(directory);
    EngineProcess loading = contest.fresh(kind);
    contest.warm(loading);
    double seconds = loading.ask("load")[0];
    figures.add("loadPerSecond", label, figures.dataset().count() / seconds);
    loading.kill();

    EngineProcess recovering = contest.fresh(kind);
    figures.add("openAfterKillSeconds", label, recovering.ask("open", Opening.KILLED)[0]);
    recovering.ask("check");
    recovering.ask("settle");
    figures.add("closeSeconds", label, recovering.ask("close")[0]);
    double bytes = diskBytes(directory);
    figures.add("diskBytesPerRecord", label, bytes / figures.dataset().count());

    EngineProcess opening = contest.fresh(kind);
    figures.add("openAfterCloseSeconds", label, opening.ask("open", Opening.CLEAN)[0]);
    opening.ask("check");
    opening.ask("close");
    contest.warm(opening);
  }

  /** Blocks that the files have on the disk; holes are none. */
  private static double diskBytes(Path directory) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("du", "--summarize", "--block-size=1", directory.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("du failed");
    }
    return Long.parseLong(output.substring(0, output.indexOf('\t')));
  }
}
