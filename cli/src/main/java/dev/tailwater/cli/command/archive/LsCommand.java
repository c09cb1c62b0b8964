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
import dev.tailwater.restore.place.TargetNames;
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
      if (json) {
        printJson(archive, tree);
      } else {
        printTable(archive.index().streams(), archive.index().agents().size() > 1);
        if (directories) {
          surroundings.out().println();
          tree.print(surroundings.out());
          tree.printAttributes(surroundings.out());
        }
      }
      tree.printDamages(surroundings.err());
      TrustWarnings doubts = new TrustWarnings(surroundings.err());
      doubts.printContested(TargetNames.of(archive.index()).contested());
      doubts.printRefused(archive.index());
      new CompletenessText(archive.index()).printTheAgent(surroundings.err());
      printUntold(archive.index().streams());
      AuthenticityText authenticity = new AuthenticityText(archive.authenticity());
      authenticity.print(surroundings.err());
      return authenticity.exitCode(exitCode(archive.index(), tree).number());
    }
  }

  private TreeText tree(OpenArchive archive) throws IOException {
    SegmentSource source = new SegmentSource(archive.destination(), archive.reading());
    return new TreeText(
        directories ? ArchivedTree.read(source, archive.index()) : List.of(),
        archive.index()::selects);
  }

  private ExitCode exitCode(ArchiveIndex index, TreeText tree) {
    List<ArchivedStream> streams = index.streams();
    boolean complete =
        streams.stream().allMatch(s -> Completeness.of(s) instanceof Completeness.Complete);
    boolean told = streams.stream().allMatch(stream -> untold(stream).isEmpty());
    return told && tree.isWhole() && !index.isMoreInPacks() && (complete || !expectComplete)
        ? ExitCode.DONE
        : ExitCode.PARTIAL;
  }

  private static List<Damage> untold(ArchivedStream stream) {
    return stream.damages().stream().filter(one -> one.kind() == Damage.Kind.UNTOLD).toList();
  }

  private void printUntold(List<ArchivedStream> streams) {
    StreamProblems problems = new StreamProblems(surroundings.err());
    streams.forEach(stream -> problems.print(stream.path(), List.of(), List.of(), untold(stream)));
  }

  private void printTable(List<ArchivedStream> streams, boolean withAgent) {
    Table table =
        new Table(
            "STREAM", ">SIZE", ">STORED", ">SEGMENTS", ">MISSING", "STATE", "COMPLETE", "PATH");
    if (!streams.isEmpty()) {
      table.rows(streams, stream -> cells(stream, withAgent)).print(surroundings.out());
    }
    long bytes = streams.stream().mapToLong(ArchivedStream::coveredBytes).sum();
    long stored = streams.stream().mapToLong(LsCommand::storedBytes).sum();
    surroundings
        .err()
        .println(
            streams.size()
                + " streams, "
                + ByteSizes.forPeople(bytes)
                + " in "
                + ByteSizes.forPeople(stored));
  }

  private static List<String> cells(ArchivedStream stream, boolean withAgent) {
    long sizeBytes = stream.knownEndBytes();
    long missingBytes = sizeBytes - stream.coveredBytes();
    return List.of(
        stream.id().text(),
        ByteSizes.forPeople(sizeBytes),
        ByteSizes.forPeople(storedBytes(stream)),
        Integer.toString(stream.segments().size()),
        missingBytes == 0 ? "-" : ByteSizes.forPeople(missingBytes),
        state(stream),
        CompletenessText.text(Completeness.of(stream)),
        (withAgent ? stream.agent() + ":" : "") + EscapedPath.of(stream.path()));
  }

  private void printJson(OpenArchive archive, TreeText tree) throws IOException {
    Json.object(
        surroundings.out(),
        json -> {
          json.writeStringField("destination", archive.destination().uri().toString());
          json.writeArrayFieldStart("streams");
          for (ArchivedStream stream : archive.index().streams()) {
            json.writeStartObject();
            write(json, stream);
            json.writeEndObject();
          }
          json.writeEndArray();
          if (directories) {
            tree.write(json);
          }
          new CompletenessText(archive.index()).writeAgents(json);
          TrustWarnings.write(json, TargetNames.of(archive.index()).contested(), Optional.empty());
          new AuthenticityText(archive.authenticity()).write(json);
          ArchiveJson.foreign(json, archive.index().foreign());
        });
  }

  private static void write(JsonGenerator json, ArchivedStream stream) throws IOException {
    json.writeStringField("agent", stream.agent());
    json.writeStringField("stream", stream.id().text());
    ArchiveJson.path(json, "path", stream.path());
    ArchiveJson.path(json, "birthPath", stream.birthPath());
    json.writeStringField("state", state(stream));
    CompletenessText.write(json, Completeness.of(stream));
    json.writeNumberField("sizeBytes", stream.knownEndBytes());
    json.writeNumberField("availableBytes", stream.coveredBytes());
    json.writeNumberField("storedBytes", storedBytes(stream));
    json.writeNumberField("segments", stream.segments().size());
    ArchiveJson.faults(json, stream.gaps(), stream.missing(), stream.damages());
  }

  private static long storedBytes(ArchivedStream stream) {
    long storedBytes = 0;
    for (StoredSegment segment : stream.segments()) {
      storedBytes += segment.objectBytes();
    }
    return storedBytes;
  }

  /** Returns {@code live} while more may come, else how it ended. */
  private static String state(ArchivedStream stream) {
    return stream
        .record()
        .flatMap(StreamRecord::end)
        .map(
            end ->
                switch (end.reason()) {
                  case DELETED -> "deleted";
                  case TRUNCATED -> "truncated";
                  case MOVED_AWAY -> "moved-away";
                  case VANISHED -> "vanished";
                })
        .orElse("live");
  }
}
