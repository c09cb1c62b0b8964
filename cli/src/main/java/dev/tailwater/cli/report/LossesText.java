package dev.tailwater.cli.report;

import dev.tailwater.archive.record.LastDrain;
import dev.tailwater.cli.value.Count;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.delivery.watch.Losses;
import dev.tailwater.posix.PosixPath;
import java.io.PrintStream;
import java.util.List;

/** The list of files with bytes that are in no archive, although they are not at risk any more. */
public final class LossesText {
  private static final String MISSED = "gone before it could be opened";
  private static final String PERHAPS = "gone before it was known whether it was a file";
  private static final String CHANGED = "changed in place after it was read";

  private final long missedFiles;
  private final List<String> missed;
  private final long perhapsMissedFiles;
  private final List<String> perhapsMissed;
  private final long changedFiles;
  private final List<String> changed;

  private LossesText(
      long missedFiles,
      List<String> missed,
      long perhapsMissedFiles,
      List<String> perhapsMissed,
      long changedFiles,
      List<String> changed) {
    this.missedFiles = missedFiles;
    this.missed = missed;
    this.perhapsMissedFiles = perhapsMissedFiles;
    this.perhapsMissed = perhapsMissed;
    this.changedFiles = changedFiles;
    this.changed = changed;
  }

  /** Returns the list for a report. */
  public static LossesText of(Losses.Report losses) {
    return new LossesText(
        losses.missedFiles(),
        losses.missed().stream().map(PosixPath::toString).toList(),
        losses.perhapsMissedFiles(),
        losses.perhapsMissed().stream().map(PosixPath::toString).toList(),
        losses.changedFiles(),
        losses.changed().stream().map(file -> file.path().toString()).toList());
  }

  /** Returns the list for an answer of the agent. */
  public static LossesText of(JsonText answer) {
    return new LossesText(
        answer.number("missedFiles"),
        answer.texts("missed"),
        answer.number("perhapsMissedFiles"),
        answer.texts("perhapsMissed"),
        answer.number("changedFiles"),
        answer.objects("changedInPlace").stream().map(file -> file.text("path")).toList());
  }

  /** Returns the list for what the archive has of the end of an agent. */
  public static LossesText of(LastDrain drain) {
    return new LossesText(
        drain.missed().count(),
        someOf(drain.missed().first()),
        drain.perhapsMissed().count(),
        someOf(drain.perhapsMissed().first()),
        0,
        List.of());
  }

  /** Returns no more than an agent writes. */
  private static List<String> someOf(List<String> names) {
    return names.stream().limit(Losses.MOST_NAMES).toList();
  }

  public boolean isEmpty() {
    return missedFiles == 0 && perhapsMissedFiles == 0 && changedFiles == 0;
  }

  /** Adds rows with the numbers that are not zero. */
  public void addRows(Table table) {
    if (changedFiles > 0) {
      table.row(
          "changed in place", files(changedFiles) + "; the archive has what was there before");
    }
    if (missedFiles > 0) {
      table.row("missed", files(missedFiles) + ", gone before they could be opened");
    }
    if (perhapsMissedFiles > 0) {
      table.row(
          "perhaps missed",
          Count.of(perhapsMissedFiles, "name") + ", gone before it was known what was there");
    }
  }

  private static String files(long count) {
    return Count.of(count, "file");
  }

  /** Prints a line for each file that is named, and one for the rest of each kind. */
  public void print(PrintStream out) {
    print(CHANGED, changedFiles, changed, out);
    print(MISSED, missedFiles, missed, out);
    print(PERHAPS, perhapsMissedFiles, perhapsMissed, out);
  }

  private static void print(String what, long files, List<String> names, PrintStream out) {
    names.forEach(name -> out.println("  " + Printable.line(name) + "  " + what));
    if (files > names.size()) {
      out.println("  and " + (files - names.size()) + " more  " + what);
    }
  }
}
