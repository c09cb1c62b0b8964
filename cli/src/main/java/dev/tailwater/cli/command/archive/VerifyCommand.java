package dev.tailwater.cli.command.archive;

import dev.tailwater.cli.host.ContentKeys;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.report.ArchiveJson;
import dev.tailwater.cli.report.AuthenticityText;
import dev.tailwater.cli.report.ComparisonText;
import dev.tailwater.cli.report.CompletenessText;
import dev.tailwater.cli.report.Json;
import dev.tailwater.cli.report.StreamProblems;
import dev.tailwater.cli.report.TerminalProgress;
import dev.tailwater.cli.report.TrustWarnings;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Count;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.Outcome;
import dev.tailwater.restore.ReadOptions;
import dev.tailwater.restore.attribute.OwnerChoice;
import dev.tailwater.restore.verify.CompareReport;
import dev.tailwater.restore.verify.DirectoryComparer;
import dev.tailwater.restore.verify.UnarchivedScope;
import dev.tailwater.restore.verify.VerifiedStream;
import dev.tailwater.restore.verify.Verifier;
import dev.tailwater.restore.verify.VerifyReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tailwater verify}. */
@Command(
    name = "verify",
    description = "Open every segment of an archive and check that the streams are complete.")
public final class VerifyCommand implements Callable<Integer> {
  private static final String KEYS_HINT =
      "Hint: encrypted segments are compared with --identity FILE or, on the machine that ships,"
          + " with --content-check-key-file FILE (content-check.key in its state directory)";

  private final Surroundings surroundings;

  @Parameters(paramLabel = "DESTINATION", description = "Where the archive lives.")
  private String destination = "";

  @Mixin private ArchiveOptions options = new ArchiveOptions();

  @Option(
      names = "--names-only",
      description =
          "Only check by the names of the objects that nothing is missing. Needs no" + " identity.")
  private boolean namesOnly;

  @Option(
      names = "--against",
      paramLabel = "DIR",
      description =
          "Compare with the files, directories and links below a directory instead, the one that"
              + " was shipped or a restored one: bytes, modes and targets. Encrypted bytes need"
              + " --content-check-key-file or --identity, and encrypted modes, directories and"
              + " links --identity. Regular files there that are not in the archive are counted"
              + " and named.")
  private Optional<String> against = Optional.empty();

  @Option(
      names = "--exclude",
      paramLabel = "GLOB",
      description =
          "With --against, files and directories that need not be in the archive: globs as those of"
              + " 'ship --exclude', compared with paths below DIR. Can be given several times.")
  private List<String> exclude = new ArrayList<>();

  @Option(
      names = "--content-check-key-file",
      paramLabel = "FILE",
      description =
          "With --against, the key of the agent's content checks, with which encrypted segments are"
              + " compared without an identity.")
  private Optional<String> contentKey = Optional.empty();

  @Option(
      names = "--owner",
      description =
          "With --against, compare owners and set-user-id bits too, as a restore with --owner"
              + " gives them.")
  private boolean owner;

  @Option(names = "--numeric-owner", description = "With --against, compare owners by id alone.")
  private boolean numericOwner;

  @Option(
      names = "--extended-attributes",
      description =
          "With --against, compare extended attributes and ACLs too, and with --owner capabilities.")
  private boolean extendedAttributes;

  @Option(names = "--json", description = "Print what was found about each stream as JSON.")
  private boolean json;

  public VerifyCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    if (against.isPresent()) {
      return compare(against.get());
    }
    requireNothingToCompare();
    try (TerminalProgress progress = TerminalProgress.of(surroundings, "verify");
        OpenArchive archive = OpenArchive.open(destination, options, surroundings, progress)) {
      VerifyReport report = verify(archive, progress);
      progress.finish();
      AuthenticityText authenticity = new AuthenticityText(archive.authenticity());
      print(report, authenticity, archive.index().foundNothing());
      return authenticity.exitCode(report.outcome().exitCode());
    }
  }

  private void requireNothingToCompare() {
    requireAbsent("--exclude", !exclude.isEmpty());
    requireAbsent("--owner", owner);
    requireAbsent("--numeric-owner", numericOwner);
    requireAbsent("--extended-attributes", extendedAttributes);
    requireAbsent("--content-check-key-file", contentKey.isPresent());
  }

  private static void requireAbsent(String option, boolean isGiven) {
    if (isGiven) {
      throw UserException.noEffect(option, "--against");
    }
  }

  private void print(VerifyReport report, AuthenticityText authenticity, boolean foundNothing)
      throws IOException {
    if (json) {
      printJson(report, authenticity);
    }
    StreamProblems faults = new StreamProblems(surroundings.err());
    for (VerifiedStream stream : report.streams()) {
      if (!stream.locked()) {
        faults.print(stream.path(), stream.gaps(), stream.missing(), stream.damages());
      }
    }
    TrustWarnings doubts = new TrustWarnings(surroundings.err());
    doubts.printContested(report.contested());
    doubts.printLocked(report.locked());
    doubts.printObjects(report.manifests());
    doubts.printObjects(report.trees());
    boolean opened = report.locked().isEmpty() || report.outcome() != Outcome.FAILED;
    if (foundNothing) {
      new NothingSelected(false).print(surroundings.err());
    } else if (opened) {
      printSummary(report);
    }
    if (report.unreadObjects() > 0) {
      surroundings
          .err()
          .println(
              "tailwater: "
                  + Count.of(report.unreadObjects(), "object")
                  + " could not be read, and nothing is known of the contents: verify again when the"
                  + " destination answers");
    }
    authenticity.print(surroundings.err(), opened);
  }

  private void printSummary(VerifyReport report) {
    long complete = report.streams().stream().filter(VerifiedStream::isComplete).count();
    surroundings
        .err()
        .println(
            "tailwater: "
                + complete
                + " of "
                + Count.of(report.streams().size(), "stream is complete", "streams are complete")
                + (report.quick() ? " by their names, " : " and open, ")
                + ByteSizes.forPeople(report.bytes())
                + (report.contested().isEmpty()
                    ? ""
                    : "; " + report.contested().size() + " of their paths are contested"));
  }

  private int compare(String directory) throws IOException {
    if (namesOnly) {
      throw UserException.usage(
          "--names-only reads nothing that --against compares", "leave one of the two out");
    }
    PosixPath compared = PosixPath.of(surroundings.absolute(directory));
    UnarchivedScope scope = UnarchivedPlaces.scope(destination, compared, exclude, surroundings);
    var key = contentKey.map(file -> ContentKeys.read(file, surroundings));
    try (TerminalProgress progress = TerminalProgress.of(surroundings, "verify");
        OpenArchive archive = OpenArchive.open(destination, options, surroundings, progress)) {
      ReadOptions reading = key.map(archive.reading()::withContentKey).orElseGet(archive::reading);
      CompareReport report =
          new DirectoryComparer(archive.calls(), archive.destination(), reading, progress)
              .withTree(OwnerChoice.of(owner, numericOwner))
              .withExtendedAttributes(extendedAttributes)
              .withUnarchived(scope)
              .compare(archive.index(), compared);
      ComparisonText comparison = new ComparisonText(report);
      AuthenticityText authenticity = new AuthenticityText(archive.authenticity());
      if (json) {
        Json.object(
            surroundings.out(),
            fields -> {
              comparison.write(fields);
              authenticity.write(fields);
            });
      }
      new CompletenessText(archive.index()).printDamages(surroundings.err());
      comparison.print(surroundings.err());
      if (archive.index().foundNothing()) {
        new NothingSelected(false).print(surroundings.err());
      }
      boolean hasKey = reading.contentKey().isPresent() || !reading.identities().isEmpty();
      if (!hasKey && report.hasLockedBytes()) {
        surroundings.err().println(KEYS_HINT);
      }
      authenticity.print(surroundings.err());
      return authenticity.exitCode(report.outcome().exitCode());
    }
  }

  private VerifyReport verify(OpenArchive archive, TerminalProgress progress) throws IOException {
    Verifier verifier = new Verifier(archive.destination(), archive.reading(), progress);
    VerifyReport report =
        namesOnly ? verifier.verifyNames(archive.index()) : verifier.verify(archive.index());
    new CompletenessText(archive.index()).printLosses(surroundings.err());
    new TrustWarnings(surroundings.err()).printRefused(archive.index());
    return report;
  }

  private void printJson(VerifyReport report, AuthenticityText authenticity) throws IOException {
    Json.object(
        surroundings.out(),
        json -> {
          json.writeStringField("outcome", report.outcome().name().toLowerCase(Locale.ROOT));
          json.writeBooleanField("namesOnly", report.quick());
          json.writeNumberField("availableBytes", report.bytes());
          json.writeNumberField("unreadObjects", report.unreadObjects());
          json.writeArrayFieldStart("streams");
          for (VerifiedStream stream : report.streams()) {
            json.writeStartObject();
            json.writeStringField("agent", stream.agent());
            json.writeStringField("stream", stream.stream().text());
            ArchiveJson.path(json, "path", stream.path());
            json.writeBooleanField("complete", stream.isComplete());
            json.writeBooleanField("locked", stream.locked());
            json.writeNumberField("availableBytes", stream.bytes());
            json.writeNumberField("segments", stream.segments());
            json.writeNumberField("checkedSegments", stream.checkedSegments());
            ArchiveJson.faults(json, stream.gaps(), stream.missing(), stream.damages());
            json.writeEndObject();
          }
          json.writeEndArray();
          TrustWarnings.write(json, report.contested(), report.locked());
          ArchiveJson.damages(json, "manifests", report.manifests());
          ArchiveJson.damages(json, "trees", report.trees());
          authenticity.write(json);
          ArchiveJson.foreign(json, report.foreign());
        });
  }
}
