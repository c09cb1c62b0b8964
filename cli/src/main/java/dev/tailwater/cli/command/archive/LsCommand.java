package dev.tailwater.cli.command.archive;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.report.ArchiveJson;
import dev.tailwater.cli.report.AuthenticityText;
import dev.tailwater.cli.report.Column;
import dev.tailwater.cli.report.CompletenessText;
import dev.tailwater.cli.report.Json;
import dev.tailwater.cli.report.StreamProblems;
import dev.tailwater.cli.report.Table;
import dev.tailwater.cli.report.TextBuffer;
import dev.tailwater.cli.report.TreeText;
import dev.tailwater.cli.report.TrustWarnings;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Count;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.SegmentSource;
import dev.tailwater.restore.tree.ArchivedTree;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tailwater ls}. */
@Command(
    name = "ls",
    description =
        "List the streams of an archive: sizes, gaps, paths, and whether they are complete.",
    footer = {
      "",
      "COMPLETE is what the archive alone can tell: 'yes' if the file has ended, or all"
          + " of it was delivered when its agent ended; 'cut at N' if bytes from N on are"
          + " known to be missing; 'unknown' if the file may have grown, because its agent"
          + " still runs or has died."
    })
public final class LsCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Parameters(paramLabel = "DESTINATION", description = "Where the archive lives.")
  private String destination = "";

  @Mixin private ArchiveOptions options = new ArchiveOptions();

  @Mixin private MomentOption moment = new MomentOption();

  @Option(
      names = "--expect-complete",
      description =
          "Exit with 3 unless every listed stream is complete and its agent could read every"
              + " file.")
  private boolean expectComplete;

  @Option(
      names = "--directories",
      description =
          "List directories, symbolic links and further names of files as well, with modes and"
              + " owners, and the names of extended attributes.")
  private boolean directories;

  @Option(names = "--json", description = "Print the list as JSON.")
  private boolean json;

  public LsCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    try (OpenArchive archive =
        OpenArchive.open(destination, options, moment, surroundings, RestoreProgress.none())) {
      if (archive.index().foundNothing()) {
        throw new NothingSelected(moment.isGiven()).failure();
      }
      TreeText tree = tree(archive);
      StreamRows streams = StreamRows.of(archive.index(), archive.reading().jobs());
      if (json) {
        printJson(archive, streams, tree);
      } else {
        printTable(streams, archive.index().agents().size() > 1);
        if (directories) {
          surroundings.out().println();
          tree.print(surroundings.out());
          tree.printAttributes(surroundings.out());
        }
      }
      tree.printDamages(surroundings.err());
      TrustWarnings doubts = new TrustWarnings(surroundings.err());
      doubts.printContested(streams.contested());
      doubts.printRefused(archive.index());
      new CompletenessText(archive.index()).printTheAgent(surroundings.err());
      printUntold(streams.untold());
      AuthenticityText authenticity = new AuthenticityText(archive.authenticity());
      authenticity.print(surroundings.err());
      return authenticity.exitCode(exitCode(archive.index(), streams, tree).number());
    }
  }

  private TreeText tree(OpenArchive archive) throws IOException {
    SegmentSource source = new SegmentSource(archive.destination(), archive.reading());
    return new TreeText(
        directories ? ArchivedTree.read(source, archive.index()) : List.of(),
        archive.index()::selects);
  }

  private ExitCode exitCode(ArchiveIndex index, StreamRows streams, TreeText tree) {
    boolean isWhole = streams.untold().isEmpty() && tree.isWhole() && !index.isMoreInPacks();
    boolean isComplete = streams.complete() && new CompletenessText(index).hasSeenAll();
    return isWhole && (isComplete || !expectComplete) ? ExitCode.DONE : ExitCode.PARTIAL;
  }

  private void printUntold(List<ArchivedStream> untold) {
    StreamProblems problems = new StreamProblems(surroundings.err());
    untold.forEach(
        stream -> problems.print(stream.path(), List.of(), List.of(), StreamRows.untoldOf(stream)));
  }

  private void printTable(StreamRows streams, boolean withAgent) {
    Table table =
        new Table(
            "STREAM", ">SIZE", ">STORED", ">SEGMENTS", ">MISSING", "STATE", "COMPLETE", "PATH");
    if (!streams.rows().isEmpty()) {
      table.rows(streams.rows(), columns(withAgent)).print(surroundings.out());
    }
    surroundings
        .err()
        .println(
            Count.of(streams.rows().size(), "stream")
                + ", "
                + ByteSizes.forPeople(streams.coveredBytes())
                + " in "
                + ByteSizes.forPeople(streams.storedBytes()));
  }

  private static List<Column<StreamRows.Row>> columns(boolean withAgent) {
    return List.of(
        Column.ofAscii(StreamId.LENGTH_CHARACTERS, StreamRows.Row::id),
        (row, text) -> text.size(row.sizeBytes()),
        (row, text) -> text.size(row.storedBytes()),
        (row, text) -> text.number(row.segments()),
        LsCommand::writeMissing,
        (row, text) -> text.ascii(row.state()),
        (row, text) -> text.ascii(CompletenessText.text(row.completeness())),
        (row, text) -> {
          if (withAgent) {
            text.text(row.stream().agent());
            text.ascii(":");
          }
          text.path(row.path());
        });
  }

  private static void writeMissing(StreamRows.Row row, TextBuffer text) {
    long missingBytes = row.sizeBytes() - row.coveredBytes();
    if (missingBytes == 0) {
      text.ascii("-");
    } else {
      text.size(missingBytes);
    }
  }

  private void printJson(OpenArchive archive, StreamRows streams, TreeText tree)
      throws IOException {
    Json.object(
        surroundings.out(),
        json -> {
          json.writeStringField("destination", archive.destination().uri().toString());
          json.writeArrayFieldStart("streams");
          for (StreamRows.Row row : streams.rows()) {
            json.writeStartObject();
            write(json, row);
            json.writeEndObject();
          }
          json.writeEndArray();
          if (directories) {
            tree.write(json);
          }
          new CompletenessText(archive.index()).writeAgents(json);
          TrustWarnings.write(json, streams.contested(), Optional.empty());
          new AuthenticityText(archive.authenticity()).write(json);
          ArchiveJson.foreign(json, archive.index().foreign());
        });
  }

  private static void write(JsonGenerator json, StreamRows.Row row) throws IOException {
    ArchivedStream stream = row.stream();
    json.writeStringField("agent", stream.agent());
    json.writeStringField("stream", stream.id().text());
    ArchiveJson.path(json, "path", stream.path());
    ArchiveJson.path(json, "birthPath", stream.birthPath());
    json.writeStringField("state", row.state());
    CompletenessText.write(json, row.completeness());
    json.writeNumberField("sizeBytes", row.sizeBytes());
    json.writeNumberField("availableBytes", row.coveredBytes());
    json.writeNumberField("storedBytes", row.storedBytes());
    json.writeNumberField("segments", row.segments());
    ArchiveJson.faults(json, stream.gaps(), stream.missing(), stream.damages());
  }
}
