package dev.tailwater.cli.command.archive;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.report.AuthenticityText;
import dev.tailwater.cli.report.CompletenessText;
import dev.tailwater.cli.report.TerminalProgress;
import dev.tailwater.cli.report.TrustWarnings;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.Outcome;
import dev.tailwater.restore.attribute.OwnerChoice;
import dev.tailwater.restore.place.RestoreOptions;
import dev.tailwater.restore.place.RestoreReport;
import dev.tailwater.restore.place.Restorer;
import java.io.IOException;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tailwater restore}. */
@Command(
    name = "restore",
    description = "Restore the files of an archive, byte for byte, below a directory.",
    footer = {
      "",
      "A restore that was interrupted can be run again: what is there already is not"
          + " fetched again.",
      "If something is missing, its exact ranges are listed, and the exit code is 3."
    })
public final class RestoreCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Parameters(index = "0", paramLabel = "DESTINATION", description = "Where the archive lives.")
  private String destination = "";

  @Parameters(
      index = "1",
      paramLabel = "DIR",
      description = "Where the files go, below it under their last known paths.")
  private String directory = "";

  @Mixin private ArchiveOptions options = new ArchiveOptions();

  @Mixin private MomentOption moment = new MomentOption();

  @Option(names = "--overwrite", description = "Replace files that have other contents.")
  private boolean overwrite;

  @Option(
      names = "--owner",
      description =
          "Give files the owners that the archive tells, by name, or by id where this machine does"
              + " not know the name. Usually takes root.")
  private boolean owner;

  @Option(names = "--numeric-owner", description = "The same, by id alone.")
  private boolean numericOwner;

  @Option(
      names = "--extended-attributes",
      description =
          "Give files and directories the extended attributes and ACLs that the archive tells, and"
              + " with --owner capabilities. ACLs go by ids.")
  private boolean extendedAttributes;

  @Option(
      names = "--files-only",
      description =
          "Restore files alone: no empty directories, no modes of directories, no symbolic links,"
              + " no further names of files.")
  private boolean filesOnly;

  @Option(names = "--json", description = "Print what became of each stream as JSON.")
  private boolean json;

  @Option(
      names = "--dry-run",
      description =
          "List what would be restored, with sizes, and change nothing. Opens no segment but those"
              + " of files that are there already.")
  private boolean dryRun;

  public RestoreCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    if (extendedAttributes && filesOnly) {
      throw UserException.usage(
          "--files-only leaves out what --extended-attributes is read with",
          "leave one of the two out");
    }
    TargetOutsideArchive.check(destination, directory, surroundings);
    try (TerminalProgress progress = TerminalProgress.of(surroundings, "restore");
        OpenArchive archive =
            OpenArchive.open(destination, options, moment, surroundings, progress)) {
      RestoreReport report = restore(archive, progress);
      progress.finish();
      AuthenticityText authenticity = new AuthenticityText(archive.authenticity());
      print(report, authenticity, archive.index().foundNothing());
      return authenticity.exitCode(report.outcome().exitCode());
    }
  }

  private void print(RestoreReport report, AuthenticityText authenticity, boolean foundNothing)
      throws IOException {
    if (json) {
      RestoreJson.print(report, authenticity, dryRun, surroundings.out());
    } else if (dryRun) {
      RestorePreview.print(report.streams(), surroundings.out());
    }
    PrintStream err = surroundings.err();
    RestoreFaults faults = new RestoreFaults(err);
    faults.printStreams(report.streams());
    TrustWarnings doubts = new TrustWarnings(err);
    doubts.printContested(report.contested());
    doubts.printLocked(report.locked());
    faults.printOthers(report);
    boolean opened = report.locked().isEmpty() || report.outcome() != Outcome.FAILED;
    if (foundNothing) {
      new NothingSelected(moment.isGiven()).print(err);
    } else if (opened) {
      new RestoreSummary(destination, dryRun, overwrite).print(report, err);
    }
    authenticity.print(err, opened);
  }

  private RestoreReport restore(OpenArchive archive, TerminalProgress progress) throws IOException {
    RestoreOptions restoring =
        RestoreOptions.of(archive.reading())
            .withOverwrite(overwrite)
            .withOwners(OwnerChoice.of(owner, numericOwner))
            .withTree(!filesOnly)
            .withExtendedAttributes(extendedAttributes);
    Restorer restorer = new Restorer(archive.calls(), archive.destination(), restoring, progress);
    PosixPath target = PosixPath.of(surroundings.absolute(directory));
    RestoreReport report =
        dryRun
            ? restorer.preview(archive.index(), target)
            : restoreUnlessStopped(restorer, archive, target, progress);
    new CompletenessText(archive.index()).printLosses(surroundings.err());
    new TrustWarnings(surroundings.err()).printRefused(archive.index());
    return report;
  }

  /** A signal ends the process (signal(7)); who sent it learns that nothing is lost. */
  private RestoreReport restoreUnlessStopped(
      Restorer restorer, OpenArchive archive, PosixPath target, TerminalProgress progress)
      throws IOException {
    Thread hook =
        new Thread(
            () -> {
              progress.finish();
              surroundings
                  .err()
                  .println(
                      "tailwater: restore was interrupted."
                          + " Hint: run the same command again; it goes on where it stopped");
            });
    Runtime runtime = Runtime.getRuntime();
    runtime.addShutdownHook(hook);
    try {
      return restorer.restore(archive.index(), target);
    } finally {
      try {
        runtime.removeShutdownHook(hook);
      } catch (IllegalStateException stopping) {
        // The hook runs already.
      }
    }
  }
}
