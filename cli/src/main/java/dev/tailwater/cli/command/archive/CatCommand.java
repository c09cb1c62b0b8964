package dev.tailwater.cli.command.archive;

import dev.tailwater.cli.host.CheckedOutput;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.report.AuthenticityText;
import dev.tailwater.cli.report.CompletenessText;
import dev.tailwater.cli.report.StreamProblems;
import dev.tailwater.cli.report.TrustWarnings;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.posix.EscapedPath;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.name.ContestedPath;
import dev.tailwater.restore.name.TargetNames;
import dev.tailwater.restore.read.IncompleteStreamException;
import dev.tailwater.restore.read.StreamPrinter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tailwater cat}. */
@Command(
    name = "cat",
    description = "Print the bytes of one stream, up to the first that is missing.")
public final class CatCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Parameters(index = "0", paramLabel = "DESTINATION", description = "Where the archive lives.")
  private String destination = "";

  @Parameters(
      index = "1",
      paramLabel = "STREAM|PATH",
      description = "The id of a stream, or a path: the stream that had it last.")
  private String wanted = "";

  @Mixin private ArchiveOptions options = new ArchiveOptions();

  @Mixin private MomentOption moment = new MomentOption();

  public CatCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    try (OpenArchive archive =
        OpenArchive.open(destination, options, moment, surroundings, RestoreProgress.none())) {
      ArchivedStream stream =
          archive.index().find(wanted).orElseThrow(() -> notFound(archive.index()));
      refuseSuperseded(archive.index(), stream);
      List<ContestedPath> contested =
          TargetNames.of(archive.index()).contested().stream()
              .filter(one -> one.path().equals(stream.path()) && !wanted.equals(stream.id().text()))
              .toList();
      TrustWarnings doubts = new TrustWarnings(surroundings.err());
      doubts.printContested(contested);
      OutputStream out = new CheckedOutput(surroundings.out());
      StreamPrinter.Printed printed =
          new StreamPrinter(archive.destination(), archive.reading(), RestoreProgress.none())
              .print(stream, out);
      out.flush();
      new StreamProblems(surroundings.err())
          .print(stream.path(), List.of(), List.of(), printed.damages());
      printUnreadPacks(archive.index());
      AuthenticityText authenticity = new AuthenticityText(archive.authenticity());
      authenticity.print(surroundings.err());
      boolean sure =
          contested.isEmpty() && !printed.isDoubtful() && !archive.index().isMoreInPacks();
      return authenticity.exitCode((sure ? ExitCode.DONE : ExitCode.PARTIAL).number());
    } catch (IncompleteStreamException e) {
      surroundings.err().println("tailwater: " + Printable.text(String.valueOf(e.getMessage())));
      return ExitCode.PARTIAL.number();
    }
  }

  /** Packs that cannot be read may have more of a stream, or newer bytes, and streams. */
  private void printUnreadPacks(ArchiveIndex index) {
    if (index.isMoreInPacks()) {
      new CompletenessText(index).printDamages(surroundings.err());
    }
  }

  /** What a file held before must not be taken for what is at the path. */
  private void refuseSuperseded(ArchiveIndex index, ArchivedStream stream) {
    if (wanted.equals(stream.id().text())) {
      return;
    }
    index
        .movedSuccessor(stream)
        .ifPresent(
            successor -> {
              throw UserException.failed(
                  "the file at "
                      + EscapedPath.of(stream.path())
                      + " was truncated or begun anew; the archive has it at "
                      + EscapedPath.of(successor.path()),
                  "cat "
                      + successor.id().text()
                      + " prints what it holds, and cat "
                      + stream.id().text()
                      + " what it held before");
            });
  }

  private UserException notFound(ArchiveIndex index) {
    printUnreadPacks(index);
    List<String> similar = index.similarPaths(wanted).stream().map(EscapedPath::of).toList();
    return UserException.failed(
        "no stream has the id or path " + wanted + (moment.isGiven() ? " at that moment" : ""),
        similar.isEmpty()
            ? "'tailwater ls " + destination + "' lists both"
            : "a path is written in full, as 'tailwater ls' prints it: "
                + String.join(", ", similar));
  }
}
