package dev.tailwater.cli.command.archive;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.report.ArchiveJson;
import dev.tailwater.cli.report.AuthenticityText;
import dev.tailwater.cli.report.CompletenessText;
import dev.tailwater.cli.report.Json;
import dev.tailwater.cli.report.StreamProblems;
import dev.tailwater.cli.report.Table;
import dev.tailwater.cli.report.TerminalProgress;
import dev.tailwater.cli.report.TrustWarnings;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.posix.EscapedPath;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.Outcome;
import dev.tailwater.restore.attribute.OwnerChoice;
import dev.tailwater.restore.attribute.UnsetAttributes;
import dev.tailwater.restore.attribute.UnsetOwners;
import dev.tailwater.restore.place.RestoreOptions;
import dev.tailwater.restore.place.RestoreReport;
import dev.tailwater.restore.place.RestoreResult;
import dev.tailwater.restore.place.RestoredStream;
import dev.tailwater.restore.place.Restorer;
import dev.tailwater.restore.place.TreeReport;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
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
      print(report, authenticity);
      return authenticity.exitCode(report.outcome().exitCode());
    }
  }

  private void print(RestoreReport report, AuthenticityText authenticity) throws IOException {
    if (json) {
      printJson(report, authenticity);
    } else if (dryRun) {
      printList(report);
    }
    printFaults(report);
    TrustWarnings doubts = new TrustWarnings(surroundings.err());
    doubts.printContested(report.contested());
    doubts.printLocked(report.locked());
    report.unsetOwners().ifPresent(this::printUnset);
    report.unsetAttributes().ifPresent(this::printUnset);
    printRenamedApart(report);
    printTreeFaults(report.tree());
    boolean opened = report.locked().isEmpty() || report.outcome() != Outcome.FAILED;
    if (opened) {
      printSummary(report);
    }
    authenticity.print(surroundings.err(), opened);
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
            : restorer.restore(archive.index(), target);
    new CompletenessText(archive.index()).printLosses(surroundings.err());
    new TrustWarnings(surroundings.err()).printRefused(archive.index());
    return report;
  }

  private void printUnset(UnsetOwners unset) {
    if (unset.refused() > 0) {
      surroundings
          .err()
          .println(
              "the owner could not be set: of "
                  + unset.refused()
                  + " files and directories; first: "
                  + Printable.text(unset.firstRefusal().orElse(""))
                  + ". Hint: run as root");
    }
    if (unset.untold() > 0) {
      surroundings
          .err()
          .println("the archive does not tell the owner of " + unset.untold() + " files");
    }
  }

  private void printUnset(UnsetAttributes unset) {
    surroundings
        .err()
        .println(
            unset.refused()
                + " extended attributes could not be set; first: "
                + Printable.text(unset.firstRefusal()));
  }

  private void printRenamedApart(RestoreReport report) {
    List<RestoredStream> renamed = report.renamedApart();
    if (!renamed.isEmpty()) {
      RestoredStream first = renamed.getFirst();
      surroundings
          .err()
          .println(
              renamed.size()
                  + (renamed.size() == 1 ? " file has" : " files have")
                  + " a stream's id in the name, since a restore removes unfinished files with such"
                  + " names; first: "
                  + EscapedPath.of(first.path())
                  + " is "
                  + EscapedPath.of(first.target().orElse(first.path())));
    }
  }

  private void printTreeFaults(TreeReport tree) {
    PrintStream err = surroundings.err();
    for (Damage damage : tree.damages()) {
      err.println(Printable.text(damage.key() + ": " + damage.why()));
    }
    if (tree.failed() > 0) {
      err.println(
          Printable.text(
              tree.failed()
                  + " directories and links could not be restored; first: "
                  + tree.firstFailure().orElse("")));
    }
    if (tree.outdated() > 0) {
      err.println(
          tree.outdated()
              + " directories, links and further names are not made: files came to their paths after"
              + " the agent had looked at these last");
    }
    if (tree.kept() > 0) {
      err.println(
          tree.kept()
              + " directories were there already and keep their modes."
              + " Hint: --overwrite changes them");
    }
  }

  private void printList(RestoreReport report) {
    Table table = new Table(">SIZE", "WOULD BE", "FILE");
    for (RestoredStream stream : report.streams()) {
      table.row(
          ByteSizes.forPeople(stream.bytes()),
          word(stream.result()),
          EscapedPath.of(stream.target().orElse(stream.path())));
    }
    if (!report.streams().isEmpty()) {
      table.print(surroundings.out());
    }
  }

  private static String word(RestoreResult result) {
    return result.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private void printFaults(RestoreReport report) {
    StreamProblems faults = new StreamProblems(surroundings.err());
    for (RestoredStream stream : report.streams()) {
      if (stream.result() == RestoreResult.LOCKED) {
        continue; // All of them are told of in one line.
      }
      faults.print(stream.path(), stream.gaps(), stream.missing(), stream.damages());
      stream
          .problem()
          .ifPresent(
              problem ->
                  surroundings
                      .err()
                      .println(Printable.text(EscapedPath.of(stream.path()) + ": " + problem)));
    }
  }

  private void printSummary(RestoreReport report) {
    StringBuilder summary = new StringBuilder("tailwater: ");
    summary.append(dryRun ? "dry run, nothing was changed: would restore " : "restored ");
    long whole = report.count(RestoreResult.RESTORED);
    summary.append(whole).append(whole == 1 ? " file" : " files");
    append(summary, report.count(RestoreResult.ALREADY_THERE), "already there");
    append(summary, report.count(RestoreResult.INCOMPLETE), "incomplete");
    append(summary, report.count(RestoreResult.DOUBTFUL), "doubtful");
    append(summary, report.count(RestoreResult.LOCKED), "locked");
    append(summary, report.count(RestoreResult.REFUSED), "refused");
    append(summary, report.count(RestoreResult.FAILED), "failed");
    append(summary, report.tree().directories(), "directories");
    append(summary, report.tree().links(), "symbolic links");
    append(summary, report.tree().furtherNames(), "further names");
    summary.append(", ").append(ByteSizes.forPeople(report.bytes()));
    surroundings.err().println(summary);
    if (report.count(RestoreResult.REFUSED) > 0) {
      surroundings.err().println("Hint: --overwrite replaces files that have other contents");
    } else if (report.streams().isEmpty()) {
      surroundings.err().println("Hint: 'tailwater ls " + destination + "' shows what is there");
    }
  }

  private static void append(StringBuilder summary, long count, String what) {
    if (count > 0) {
      summary.append(", ").append(count).append(' ').append(what);
    }
  }

  private void printJson(RestoreReport report, AuthenticityText authenticity) throws IOException {
    Json.object(
        surroundings.out(),
        json -> {
          if (dryRun) {
            json.writeBooleanField("dryRun", true);
          }
          json.writeStringField("outcome", report.outcome().name().toLowerCase(Locale.ROOT));
          json.writeNumberField("restoredBytes", report.bytes());
          json.writeArrayFieldStart("streams");
          for (RestoredStream stream : report.streams()) {
            json.writeStartObject();
            write(json, stream);
            json.writeEndObject();
          }
          json.writeEndArray();
          TrustWarnings.write(json, report.contested(), report.locked());
          json.writeObjectFieldStart("tree");
          json.writeNumberField("directories", report.tree().directories());
          json.writeNumberField("links", report.tree().links());
          json.writeNumberField("furtherNames", report.tree().furtherNames());
          json.writeNumberField("kept", report.tree().kept());
          json.writeNumberField("outdated", report.tree().outdated());
          json.writeNumberField("failed", report.tree().failed());
          json.writeEndObject();
          if (report.unsetAttributes().isPresent()) {
            json.writeNumberField("unsetAttributes", report.unsetAttributes().get().refused());
          }
          if (report.unsetOwners().isPresent()) {
            json.writeObjectFieldStart("unsetOwners");
            json.writeNumberField("refused", report.unsetOwners().get().refused());
            json.writeNumberField("untold", report.unsetOwners().get().untold());
            json.writeEndObject();
          }
          authenticity.write(json);
          ArchiveJson.foreign(json, report.foreign());
        });
  }

  private static void write(JsonGenerator json, RestoredStream stream) throws IOException {
    json.writeStringField("agent", stream.agent());
    json.writeStringField("stream", stream.stream().text());
    ArchiveJson.path(json, "path", stream.path());
    if (stream.target().isPresent()) {
      ArchiveJson.path(json, "target", stream.target().get());
    }
    json.writeStringField(
        "result", stream.result().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    json.writeNumberField("bytes", stream.bytes());
    if (stream.problem().isPresent()) {
      json.writeStringField("problem", stream.problem().get());
    }
    ArchiveJson.faults(json, stream.gaps(), stream.missing(), stream.damages());
  }
}
