package dev.tailwater.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Count;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.posix.EscapedPath;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.verify.CompareReport;
import dev.tailwater.restore.verify.CompareResult;
import dev.tailwater.restore.verify.ComparedStream;
import dev.tailwater.restore.verify.Difference;
import dev.tailwater.restore.verify.TreeDifference;
import dev.tailwater.restore.verify.UnarchivedFiles;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** The report of a comparison of an archive with a directory. */
public final class ComparisonText {
  /** The most files that are named; JSON has more. */
  private static final int MAX_LINES = 20;

  private static final String NOTHING_THERE =
      "tailwater: nothing was compared: no file of the archive is in the directory. Hint: --against"
          + " takes the directory that was shipped, by the path that 'tailwater ls' shows, or one"
          + " into which the archive was restored";

  private static final String ROOT =
      "files that are not in the archive were not looked for, since that would be the whole"
          + " machine. Hint: let --against name the directory that is shipped";

  private final CompareReport report;

  public ComparisonText(CompareReport report) {
    this.report = report;
  }

  /** Prints what differs, and a summary. */
  public void print(PrintStream err) {
    for (ComparedStream stream : report.streams()) {
      switch (stream.result()) {
        case SAME, NOT_THERE, REPLACED -> {}
        case UNDELIVERED, ATTRIBUTES_DIFFER, DIFFERENT, UNKNOWN -> printOne(stream, err);
      }
    }
    printTree(err);
    StringBuilder summary = new StringBuilder("tailwater: ");
    summary.append(report.count(CompareResult.SAME)).append(" of ");
    summary.append(report.streams().size()).append(" streams are the same");
    for (CompareResult result : CompareResult.values()) {
      long count = report.count(result);
      if (result != CompareResult.SAME && count > 0) {
        summary.append(", ").append(count).append(' ').append(name(result).replace('-', ' '));
      }
    }
    if (report.tree().same() > 0 || !report.tree().differences().isEmpty()) {
      summary
          .append("; ")
          .append(report.tree().same())
          .append(" directories and links are the same");
      if (!report.tree().differences().isEmpty()) {
        summary.append(", ").append(report.tree().differences().size()).append(" different");
      }
    }
    err.println(summary);
    if (report.isNothingThere()) {
      err.println(NOTHING_THERE);
    }
    report.unarchived().ifPresentOrElse(found -> print(found, err), () -> printUnsearched(err));
  }

  /** A search would have named these files, as ones that are not in the archive. */
  private void printUnsearched(PrintStream err) {
    err.println(ROOT);
    List<ComparedStream> replaced = report.replacedByFiles();
    if (!replaced.isEmpty()) {
      err.println(
          "tailwater: "
              + Count.of(replaced.size(), "file is another one", "files are others")
              + " than the archive has at the path, and not compared:");
      replaced.stream()
          .limit(MAX_LINES)
          .forEach(stream -> err.println("  " + EscapedPath.of(stream.path())));
      if (replaced.size() > MAX_LINES) {
        err.println("  and " + (replaced.size() - MAX_LINES) + " more; --json names all");
      }
    }
  }

  private static void print(UnarchivedFiles found, PrintStream err) {
    if (found.count() > 0) {
      err.println(
          "tailwater: " + Count.of(found.count(), "file is", "files are") + " not in the archive:");
      found.first().stream()
          .limit(MAX_LINES)
          .forEach(path -> err.println("  " + EscapedPath.of(path)));
      printRest(found.count(), err);
    }
    if (found.unlistedCount() > 0) {
      err.println(
          "tailwater: "
              + Count.of(found.unlistedCount(), "directory", "directories")
              + " could not be listed, and may have files that are not in the archive:");
      found.unlisted().stream()
          .limit(MAX_LINES)
          .forEach(
              one ->
                  err.println(
                      "  " + EscapedPath.of(one.path()) + ": " + Printable.line(one.why())));
      printRest(found.unlistedCount(), err);
    }
  }

  private static void printRest(long count, PrintStream err) {
    if (count > MAX_LINES) {
      err.println(
          "  and "
              + (count - MAX_LINES)
              + " more; --json names "
              + (count > UnarchivedFiles.MAX_NAMED
                  ? "the first " + UnarchivedFiles.MAX_NAMED
                  : "all"));
    }
  }

  private void printTree(PrintStream err) {
    for (TreeDifference difference : report.tree().differences()) {
      err.println(
          Printable.sentence(
              EscapedPath.of(difference.path()) + ": different, " + difference.what()));
    }
    for (Damage damage : report.tree().damages()) {
      err.println(Printable.sentence(damage.key() + ": " + damage.why()));
    }
    if (report.tree().isLocked()) {
      err.println("directories and links are encrypted, and not compared without --identity");
    }
    long lockedAttributes = report.lockedAttributes();
    if (lockedAttributes > 0) {
      err.println(
          "modes of "
              + Count.of(lockedAttributes, "file")
              + " are encrypted, and not compared without --identity");
    }
  }

  private static void printOne(ComparedStream stream, PrintStream err) {
    err.println(EscapedPath.of(stream.path()) + ": " + name(stream.result()));
    for (Difference difference : stream.differences()) {
      String first =
          difference.firstOffsetBytes().isPresent()
              ? ", the first at " + difference.firstOffsetBytes().getAsLong()
              : "";
      err.println("  different    bytes in " + difference.range() + first);
    }
    for (ByteRange range : stream.undelivered()) {
      err.println(
          "  undelivered  bytes " + range + ", " + ByteSizes.forPeople(range.lengthBytes()));
    }
    stream
        .attributes()
        .difference()
        .ifPresent(difference -> err.println("  different    " + Printable.sentence(difference)));
    stream.problem().ifPresent(problem -> err.println("  " + Printable.line(problem)));
  }

  /** Writes the fields of the JSON document. */
  public void write(JsonGenerator json) throws IOException {
    json.writeStringField("outcome", report.outcome().name().toLowerCase(Locale.ROOT));
    json.writeArrayFieldStart("streams");
    for (ComparedStream stream : report.streams()) {
      json.writeStartObject();
      json.writeStringField("agent", stream.agent());
      json.writeStringField("stream", stream.stream().text());
      ArchiveJson.path(json, "path", stream.path());
      if (stream.file().isPresent()) {
        ArchiveJson.path(json, "file", stream.file().get());
      }
      json.writeStringField("result", name(stream.result()));
      json.writeNumberField("comparedBytes", stream.comparedBytes());
      json.writeArrayFieldStart("differences");
      for (Difference difference : stream.differences()) {
        json.writeStartObject();
        ArchiveJson.range(json, difference.range());
        if (difference.firstOffsetBytes().isPresent()) {
          json.writeNumberField("firstOffsetBytes", difference.firstOffsetBytes().getAsLong());
        }
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeArrayFieldStart("undelivered");
      for (ByteRange range : stream.undelivered()) {
        json.writeStartObject();
        ArchiveJson.range(json, range);
        json.writeEndObject();
      }
      json.writeEndArray();
      if (stream.attributes().difference().isPresent()) {
        json.writeStringField("attributes", stream.attributes().difference().get());
      }
      json.writeBooleanField("attributesLocked", stream.attributes().isLocked());
      if (stream.problem().isPresent()) {
        json.writeStringField("problem", stream.problem().get());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeObjectFieldStart("tree");
    json.writeNumberField("same", report.tree().same());
    json.writeBooleanField("locked", report.tree().isLocked());
    json.writeArrayFieldStart("differences");
    for (TreeDifference difference : report.tree().differences()) {
      json.writeStartObject();
      json.writeStringField("agent", difference.agent());
      ArchiveJson.path(json, "path", difference.path());
      json.writeStringField("what", difference.what());
      json.writeEndObject();
    }
    json.writeEndArray();
    ArchiveJson.damages(json, "damages", report.tree().damages());
    json.writeEndObject();
    if (report.unarchived().isPresent()) {
      write(report.unarchived().get(), json);
    }
  }

  private static void write(UnarchivedFiles found, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("unarchived");
    json.writeNumberField("files", found.count());
    json.writeArrayFieldStart("first");
    for (PosixPath path : found.first()) {
      json.writeStartObject();
      ArchiveJson.path(json, "path", path);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeNumberField("unlistedDirectories", found.unlistedCount());
    json.writeArrayFieldStart("unlisted");
    for (UnarchivedFiles.Unlisted one : found.unlisted()) {
      json.writeStartObject();
      ArchiveJson.path(json, "path", one.path());
      json.writeStringField("why", one.why());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static String name(CompareResult result) {
    return result.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
