package dev.tailwater.cli.command.archive;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.report.ArchiveJson;
import dev.tailwater.cli.report.AuthenticityText;
import dev.tailwater.cli.report.CompletenessText;
import dev.tailwater.cli.report.Json;
import dev.tailwater.cli.report.StreamProblems;
import dev.tailwater.cli.report.Table;
import dev.tailwater.cli.report.TreeText;
import dev.tailwater.cli.report.TrustWarnings;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.posix.EscapedPath;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.StoredSegment;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.ArchivedTree;
import dev.tailwater.restore.list.Completeness;
import dev.tailwater.restore.list.SegmentSource;
import dev.tailwater.restore.place.ContestedPath;
import dev.tailwater.restore.place.TargetNames;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
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
      description = "Exit with 3 unless every listed stream is complete.")
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
        throw UserException.failed(
            moment.isGiven()
                ? "nothing of what is asked for was there at that moment"
                : "no stream is what --only and --agent ask for",
            "without "
                + (moment.isGiven() ? "--at, --only and --agent" : "them")
                + " 'tailwater ls' lists everything");
      }
      TreeText tree = tree(archive);
      List<ContestedPath> contested = TargetNames.contested(archive.index());
      List<Row> rows = archive.index().streams().stream().map(Row::of).toList();
      if (json) {
        printJson(archive, rows, tree, contested);
      } else {
        printTable(rows, archive.index().agents().size() > 1);
        if (directories) {
          surroundings.out().println();
          tree.print(surroundings.out());
          tree.printAttributes(surroundings.out());
        }
      }
      tree.printDamages(surroundings.err());
      TrustWarnings doubts = new TrustWarnings(surroundings.err());
      doubts.printContested(contested);
      doubts.printRefused(archive.index());
      new CompletenessText(archive.index()).printTheAgent(surroundings.err());
      printUntold(archive.index().streams());
      AuthenticityText authenticity = new AuthenticityText(archive.authenticity());
      authenticity.print(surroundings.err());
      return authenticity.exitCode(exitCode(archive.index(), rows, tree).number());
    }
  }

  private TreeText tree(OpenArchive archive) throws IOException {
    SegmentSource source = new SegmentSource(archive.destination(), archive.reading());
    return new TreeText(
        directories ? ArchivedTree.read(source, archive.index()) : List.of(),
        archive.index()::selects);
  }

  /** A line of the list: what is found out about a stream by looking at all of it, once. */
  private record Row(
      ArchivedStream stream,
      long sizeBytes,
      long coveredBytes,
      long storedBytes,
      Completeness completeness) {
    static Row of(ArchivedStream stream) {
      return new Row(
          stream,
          stream.knownEndBytes(),
          stream.coveredBytes(),
          sumOfStoredBytes(stream),
          Completeness.of(stream));
    }

    private static long sumOfStoredBytes(ArchivedStream stream) {
      long storedBytes = 0;
      List<StoredSegment> segments = stream.segments();
      for (int i = 0; i < segments.size(); i++) {
        storedBytes += segments.get(i).objectBytes();
      }
      return storedBytes;
    }

    String missing() {
      long missingBytes = sizeBytes - coveredBytes;
      return missingBytes == 0 ? "-" : ByteSizes.forPeople(missingBytes);
    }
  }

  private ExitCode exitCode(ArchiveIndex index, List<Row> rows, TreeText tree) {
    boolean complete = true;
    boolean told = true;
    for (Row row : rows) {
      complete &= row.completeness() instanceof Completeness.Complete;
      told &= untold(row.stream()).isEmpty();
    }
    return told && tree.isWhole() && !index.isMoreInPacks() && (complete || !expectComplete)
        ? ExitCode.DONE
        : ExitCode.PARTIAL;
  }

  private static List<Damage> untold(ArchivedStream stream) {
    List<Damage> damages = stream.damages();
    return damages.isEmpty()
        ? damages
        : damages.stream().filter(one -> one.kind() == Damage.Kind.UNTOLD).toList();
  }

  private void printUntold(List<ArchivedStream> streams) {
    StreamProblems problems = new StreamProblems(surroundings.err());
    streams.forEach(stream -> problems.print(stream.path(), List.of(), List.of(), untold(stream)));
  }

  private void printTable(List<Row> rows, boolean withAgent) {
    Table table =
        new Table(
            "STREAM", ">SIZE", ">STORED", ">SEGMENTS", ">MISSING", "STATE", "COMPLETE", "PATH");
    if (!rows.isEmpty()) {
      table.rows(rows, columns(withAgent)).print(surroundings.out());
    }
    long bytes = 0;
    long stored = 0;
    for (Row row : rows) {
      bytes += row.coveredBytes();
      stored += row.storedBytes();
    }
    surroundings
        .err()
        .println(
            rows.size()
                + " streams, "
                + ByteSizes.forPeople(bytes)
                + " in "
                + ByteSizes.forPeople(stored));
  }

  private static List<Function<Row, String>> columns(boolean withAgent) {
    return List.of(
        row -> row.stream().id().text(),
        row -> ByteSizes.forPeople(row.sizeBytes()),
        row -> ByteSizes.forPeople(row.storedBytes()),
        row -> Integer.toString(row.stream().segments().size()),
        Row::missing,
        row -> state(row.stream()),
        row -> CompletenessText.text(row.completeness()),
        row -> {
          String path = EscapedPath.of(row.stream().path());
          return withAgent ? row.stream().agent() + ":" + path : path;
        });
  }

  private void printJson(
      OpenArchive archive, List<Row> rows, TreeText tree, List<ContestedPath> contested)
      throws IOException {
    Json.object(
        surroundings.out(),
        json -> {
          json.writeStringField("destination", archive.destination().uri().toString());
          json.writeArrayFieldStart("streams");
          for (Row row : rows) {
            json.writeStartObject();
            write(json, row);
            json.writeEndObject();
          }
          json.writeEndArray();
          if (directories) {
            tree.write(json);
          }
          new CompletenessText(archive.index()).writeAgents(json);
          TrustWarnings.write(json, contested, Optional.empty());
          new AuthenticityText(archive.authenticity()).write(json);
          ArchiveJson.foreign(json, archive.index().foreign());
        });
  }

  private static void write(JsonGenerator json, Row row) throws IOException {
    ArchivedStream stream = row.stream();
    json.writeStringField("agent", stream.agent());
    json.writeStringField("stream", stream.id().text());
    ArchiveJson.path(json, "path", stream.path());
    ArchiveJson.path(json, "birthPath", stream.birthPath());
    json.writeStringField("state", state(stream));
    CompletenessText.write(json, row.completeness());
    json.writeNumberField("sizeBytes", row.sizeBytes());
    json.writeNumberField("availableBytes", row.coveredBytes());
    json.writeNumberField("storedBytes", row.storedBytes());
    json.writeNumberField("segments", stream.segments().size());
    ArchiveJson.faults(json, stream.gaps(), stream.missing(), stream.damages());
  }

  /** Returns {@code live} while more may come, else how it ended. */
  private static String state(ArchivedStream stream) {
    Optional<StreamRecord> record = stream.record();
    if (record.isEmpty() || record.get().end().isEmpty()) {
      return "live";
    }
    return switch (record.get().end().get().reason()) {
      case DELETED -> "deleted";
      case TRUNCATED -> "truncated";
      case MOVED_AWAY -> "moved-away";
      case VANISHED -> "vanished";
    };
  }
}
