package dev.tailwater.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.archive.record.LastDrain;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Count;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.ArchivedDrain;
import dev.tailwater.restore.list.Completeness;
import java.io.IOException;
import java.io.PrintStream;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** The report of whether streams are complete, and how their agents ended. */
public final class CompletenessText {
  private static final int MOST_PROBLEMS = 20;

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
        LastDrain last = drain.get().leftBehind();
        json.writeNumberField("leftBehindFiles", last.leftFiles());
        write(json, "missedFiles", "missed", last.missed());
        write(json, "perhapsMissedFiles", "perhapsMissed", last.perhapsMissed());
        write(json, "problemCount", "problems", last.problems());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void write(
      JsonGenerator json, String count, String first, LastDrain.Counted counted)
      throws IOException {
    json.writeNumberField(count, counted.count());
    json.writeArrayFieldStart(first);
    for (String text : counted.first()) {
      json.writeString(text);
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
    of(agent).ifPresent(drain -> printProblems(drain.leftBehind().problems(), err));
  }

  private static void printProblems(LastDrain.Counted problems, PrintStream err) {
    List<String> some = problems.first().stream().limit(MOST_PROBLEMS).toList();
    some.forEach(text -> err.println("  " + Printable.sentence(text)));
    if (problems.count() > some.size()) {
      err.println("  and " + (problems.count() - some.size()) + " more");
    }
  }

  /** Returns whether agents that ended name all that they left, and could look at every file. */
  public boolean hasSeenAll() {
    return index.drains().stream()
        .map(ArchivedDrain::leftBehind)
        .allMatch(
            last -> last.problems().count() == 0 && last.leftFiles() == last.streams().size());
  }

  /** Prints what agents left behind or missed, if anything. */
  public void printLosses(PrintStream err) {
    printDamages(err);
    for (ArchivedDrain drain : index.drains()) {
      if (hasLosses(drain.leftBehind())) {
        err.println("tailwater: agent " + drain.agent() + sentence(drain));
        printProblems(drain.leftBehind().problems(), err);
      }
    }
  }

  private static boolean hasLosses(LastDrain drain) {
    return drain.leftFiles() > 0
        || drain.problems().count() > 0
        || drain.missed().count() > 0
        || drain.perhapsMissed().count() > 0;
  }

  /** Prints which packs and records cannot be read. */
  public void printDamages(PrintStream err) {
    for (Damage damage : index.damages()) {
      err.println(
          "tailwater: " + Printable.line(damage.key() + " cannot be read: " + damage.why()));
    }
  }

  private static String sentence(ArchivedDrain drain) {
    long files = drain.leftBehind().leftFiles();
    boolean couldOpenAll =
        drain.leftBehind().missed().count() == 0 && drain.leftBehind().problems().count() == 0;
    String left =
        files == 0
            ? "and left nothing behind" + (couldOpenAll ? "" : " of what it could open")
            : "and left "
                + ByteSizes.forPeople(drain.leftBehindBytes())
                + " of "
                + Count.of(files, "file")
                + " behind";
    return " ended at "
        + drain.at().truncatedTo(ChronoUnit.SECONDS)
        + " "
        + left
        + missed(drain.leftBehind().missed().count())
        + perhapsMissed(drain.leftBehind().perhapsMissed().count())
        + problems(drain.leftBehind().problems().count())
        + (drain.isLast() ? "" : "; it has delivered since, so it runs again, or it died");
  }

  private static String missed(long files) {
    return files == 0
        ? ""
        : "; "
            + Count.of(files, "file was gone before it", "files were gone before they")
            + " could be opened";
  }

  private static String problems(long count) {
    return count == 0 ? "" : "; " + Count.of(count, "problem") + " kept it from everything";
  }

  private static String perhapsMissed(long names) {
    return names == 0
        ? ""
        : "; "
            + Count.of(names, "name was", "names were")
            + " gone before the agent knew what was there";
  }
}
