package dev.tailwater.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.archive.record.LastDrain;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.ArchivedDrain;
import dev.tailwater.restore.list.Completeness;
import java.io.IOException;
import java.io.PrintStream;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** The report of whether streams are complete, and how their agents ended. */
public final class CompletenessText {
  private final ArchiveIndex index;

  public CompletenessText(ArchiveIndex index) {
    this.index = index;
  }

  /** Returns a word or two for a table. */
  public static String text(Completeness completeness) {
    return switch (completeness) {
      case Completeness.Complete _ -> "yes";
      case Completeness.Cut cut -> "cut at " + cut.atBytes();
      case Completeness.Changed _ -> "changed in place";
      case Completeness.Unknown _ -> "unknown";
    };
  }

  /**
   * Writes {@code complete}, and {@code changedInPlace}, {@code cutAtBytes} and {@code
   * completeAtMillis} if they are known.
   */
  public static void write(JsonGenerator json, Completeness completeness) throws IOException {
    switch (completeness) {
      case Completeness.Complete complete -> {
        json.writeStringField("complete", "yes");
        if (complete.at().isPresent()) {
          json.writeNumberField("completeAtMillis", complete.at().get().toEpochMilli());
        }
      }
      case Completeness.Cut cut -> {
        json.writeStringField("complete", "no");
        json.writeNumberField("cutAtBytes", cut.atBytes());
        json.writeNumberField("missingBytes", cut.missingBytes());
      }
      case Completeness.Changed _ -> {
        json.writeStringField("complete", "no");
        json.writeBooleanField("changedInPlace", true);
      }
      case Completeness.Unknown _ -> json.writeStringField("complete", "unknown");
    }
  }

  /** Writes {@code agents}: how each ended, if that is known. */
  public void writeAgents(JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("agents");
    for (String agent : index.agents()) {
      json.writeStartObject();
      json.writeStringField("agent", agent);
      Optional<ArchivedDrain> drain = of(agent);
      json.writeBooleanField("ended", drain.filter(ArchivedDrain::isLast).isPresent());
      if (drain.isPresent()) {
        json.writeNumberField("endedAtMillis", drain.get().at().toEpochMilli());
        json.writeNumberField("leftBehindBytes", drain.get().leftBehindBytes());
        write(json, "missed", drain.get().leftBehind().missed());
        write(json, "perhapsMissed", drain.get().leftBehind().perhapsMissed());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, String field, LastDrain.Missed missed)
      throws IOException {
    json.writeNumberField(field + "Files", missed.count());
    json.writeArrayFieldStart(field);
    for (String name : missed.names()) {
      json.writeString(name);
    }
    json.writeEndArray();
  }

  private Optional<ArchivedDrain> of(String agent) {
    return index.drains().stream().filter(f -> f.agent().equals(agent)).findFirst();
  }

  /** Prints how the agent ended and what it missed, if the archive has only one. */
  public void printTheAgent(PrintStream err) {
    printDamages(err);
    if (index.agents().size() != 1) {
      return;
    }
    String agent = index.agents().first();
    err.println(
        "agent "
            + agent
            + of(agent)
                .map(CompletenessText::sentence)
                .orElse(" has not said that it ended: it runs, or it died"));
    of(agent).ifPresent(drain -> LossesText.of(drain.leftBehind()).print(err));
  }

  /** Prints what agents left behind or missed, if anything. */
  public void printLosses(PrintStream err) {
    printDamages(err);
    for (ArchivedDrain drain : index.drains()) {
      if (hasLosses(drain.leftBehind())) {
        err.println("tailwater: agent " + drain.agent() + sentence(drain));
      }
    }
  }

  private static boolean hasLosses(LastDrain drain) {
    return !drain.streams().isEmpty()
        || drain.missed().count() > 0
        || drain.perhapsMissed().count() > 0;
  }

  /** Prints which packs and records cannot be read. */
  public void printDamages(PrintStream err) {
    for (Damage damage : index.damages()) {
      String twice = damage.key() + ": ";
      String why = damage.why();
      String once = why.startsWith(twice) ? why.substring(twice.length()) : why;
      err.println("tailwater: " + Printable.line(damage.key() + " cannot be read: " + once));
    }
  }

  private static String sentence(ArchivedDrain drain) {
    int streams = drain.leftBehind().streams().size();
    String left =
        streams == 0
            ? drain.leftBehind().missed().count() == 0
                ? "and left nothing behind"
                : "and left nothing behind of what it could open"
            : "and left "
                + ByteSizes.forPeople(drain.leftBehindBytes())
                + " of "
                + streams
                + (streams == 1 ? " file" : " files")
                + " behind";
    return " ended at "
        + drain.at().truncatedTo(ChronoUnit.SECONDS)
        + " "
        + left
        + missed(drain.leftBehind().missed().count())
        + perhapsMissed(drain.leftBehind().perhapsMissed().count())
        + (drain.isLast() ? "" : "; it has delivered since, so it runs again, or it died");
  }

  private static String missed(long files) {
    return files == 0
        ? ""
        : "; "
            + files
            + (files == 1 ? " file was" : " files were")
            + (files == 1 ? " gone before it" : " gone before they")
            + " could be opened";
  }

  private static String perhapsMissed(long names) {
    return names == 0
        ? ""
        : "; "
            + names
            + (names == 1 ? " name was" : " names were")
            + " gone before the agent knew what was there";
  }
}
