package dev.tailwater.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.Completeness;
import dev.tailwater.restore.list.Farewell;
import java.io.IOException;
import java.io.PrintStream;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Tells how agents ended, and whether their streams are complete. */
public final class Endings {
  private final ArchiveIndex index;

  public Endings(ArchiveIndex index) {
    this.index = index;
  }

  /** A word or two for a table. */
  public static String text(Completeness completeness) {
    return switch (completeness) {
      case Completeness.Complete _ -> "yes";
      case Completeness.Cut cut -> "cut at " + cut.atBytes();
      case Completeness.Changed _ -> "changed in place";
      case Completeness.Unknown _ -> "unknown";
    };
  }

  /**
   * {@code complete}, and {@code changedInPlace}, {@code cutAtBytes} and {@code completeAtMillis}
   * where they are known.
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

  /** {@code agents}: how each ended, as far as it said. */
  public void writeAgents(JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("agents");
    for (String agent : index.agents()) {
      json.writeStartObject();
      json.writeStringField("agent", agent);
      Optional<Farewell> farewell = of(agent);
      json.writeBooleanField("ended", farewell.filter(Farewell::isLast).isPresent());
      if (farewell.isPresent()) {
        json.writeNumberField("endedAtMillis", farewell.get().at().toEpochMilli());
        json.writeNumberField("leftBehindBytes", farewell.get().leftBehindBytes());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private Optional<Farewell> of(String agent) {
    return index.farewells().stream().filter(f -> f.agent().equals(agent)).findFirst();
  }

  /** How the agent ended, where the archive is of one only. */
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
                .map(Endings::sentence)
                .orElse(" has not said that it ended: it runs, or it died"));
  }

  /** What agents left behind; nothing where they said that it was nothing. */
  public void printLeftBehind(PrintStream err) {
    printDamages(err);
    for (Farewell farewell : index.farewells()) {
      if (!farewell.leftBehind().streams().isEmpty()) {
        err.println("tailwater: agent " + farewell.agent() + sentence(farewell));
      }
    }
  }

  private void printDamages(PrintStream err) {
    index
        .damages()
        .forEach(
            damage ->
                err.println(
                    "tailwater: "
                        + Printable.line(damage.key() + " cannot be read: " + damage.why())));
  }

  private static String sentence(Farewell farewell) {
    int streams = farewell.leftBehind().streams().size();
    String left =
        streams == 0
            ? farewell.leftBehind().missedFiles() == 0
                ? "and left nothing behind"
                : "and left nothing behind of what it could open"
            : "and left "
                + ByteSizes.forPeople(farewell.leftBehindBytes())
                + " of "
                + streams
                + (streams == 1 ? " file" : " files")
                + " behind";
    return " ended at "
        + farewell.at().truncatedTo(ChronoUnit.SECONDS)
        + " "
        + left
        + missed(farewell.leftBehind().missedFiles())
        + (farewell.isLast() ? "" : "; it has delivered since, so it runs again, or it died");
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
}
