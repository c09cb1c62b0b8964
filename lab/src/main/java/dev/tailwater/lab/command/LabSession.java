package dev.tailwater.lab.command;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.lab.Lab;
import dev.tailwater.lab.LabPlan;
import dev.tailwater.lab.LabScratch;
import dev.tailwater.lab.result.ExperimentResult;
import dev.tailwater.posix.FileCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** One run of the lab on a mount. It leaves nothing there, even after Ctrl-C. */
final class LabSession {
  private final Surroundings surroundings;
  private final Path directory;

  /**
   * Checks that the lab can work in a directory.
   *
   * @param directory on the mount that is measured
   * @throws UserException the path is not a directory, or cannot be written
   */
  public LabSession(Surroundings surroundings, Path directory) {
    this.surroundings = surroundings;
    this.directory = directory;
    if (!Files.isDirectory(directory)) {
      throw UserException.usage(
          "--dir "
              + directory
              + (Files.exists(directory) ? ": not a directory" : ": no such directory"),
          "give a directory on the mount to be measured");
    }
    if (!Files.isWritable(directory)) {
      throw UserException.usage(
          "--dir " + directory + ": the directory cannot be written",
          "give one in which files can be made: --dir DIR");
    }
  }

  /** Checks that there is space for what the plan writes. */
  public void requireSpace(LabPlan plan) throws IOException {
    // Not by its FileStore, which has no answer where the root directory is no mount point.
    long usable = directory.toFile().getUsableSpace();
    long most = plan.mostBytes();
    if (usable < most) {
      throw UserException.usage(
          "--dir "
              + directory
              + ": the experiments write up to "
              + ByteSizes.forPeople(most)
              + ", and there is space for "
              + ByteSizes.forPeople(usable),
          "give a directory with more space, choose less with --only, or add --quick");
    }
  }

  /** Runs the plan; returns empty if the process is being stopped. */
  public Optional<List<ExperimentResult>> run(LabPlan plan, FileCalls calls)
      throws IOException, InterruptedException {
    LabScratch scratch = LabScratch.in(directory);
    try (StopHook hook = new StopHook(surroundings.err(), scratch)) {
      try (LabScratch removed = scratch;
          LabBar bar = new LabBar(surroundings)) {
        return Optional.of(new Lab(calls, new SplittableRandom(), bar).run(plan, removed));
      } catch (IOException | InterruptedException | RuntimeException e) {
        if (hook.isStopping()) {
          return Optional.empty(); // The hook says what there is to say.
        }
        throw e;
      }
    }
  }
}
