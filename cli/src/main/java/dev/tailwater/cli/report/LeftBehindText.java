package dev.tailwater.cli.report;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Count;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.delivery.drain.LeftBehind;
import dev.tailwater.delivery.watch.Losses;
import java.io.PrintStream;
import java.util.List;

/** The list of files that a drain has left something of, to the byte; of very many, the first. */
public final class LeftBehindText {
  private final List<Line> lines;

  private record Line(String path, List<ByteRange> ranges, boolean growing) {
    private long bytes() {
      return ranges.stream().mapToLong(ByteRange::lengthBytes).sum();
    }

    private String text() {
      List<String> texts = ranges.stream().map(ByteRange::toString).toList();
      return Printable.line(path)
          + "  bytes "
          + String.join(", ", texts)
          + (growing ? ", still growing when reading stopped" : "");
    }
  }

  private LeftBehindText(List<Line> lines) {
    this.lines = lines;
  }

  /** Returns the list for a report. */
  public static LeftBehindText of(List<LeftBehind> left) {
    return new LeftBehindText(
        left.stream().map(l -> new Line(l.path().toString(), l.ranges(), l.growing())).toList());
  }

  /** Returns the list for an answer of the agent. */
  public static LeftBehindText of(JsonText answer) {
    return new LeftBehindText(
        answer.objects("leftBehind").stream().map(LeftBehindText::line).toList());
  }

  private static Line line(JsonText left) {
    List<ByteRange> ranges = left.objects("ranges").stream().map(LeftBehindText::range).toList();
    return new Line(left.text("path"), ranges, left.isTrue("growing"));
  }

  private static ByteRange range(JsonText range) {
    long startBytes = Math.max(0, range.number("startBytes"));
    return new ByteRange(startBytes, Math.max(startBytes, range.number("endBytes")));
  }

  /** Prints a line for each file that is named, and one for the rest. */
  public void print(PrintStream out) {
    lines.stream().limit(Losses.MOST_NAMES).forEach(line -> out.println("  " + line.text()));
    List<Line> rest = lines.stream().skip(Losses.MOST_NAMES).toList();
    if (!rest.isEmpty()) {
      long bytes = rest.stream().mapToLong(Line::bytes).sum();
      out.println(
          "  and "
              + Count.of(rest.size(), "more file")
              + ", "
              + ByteSizes.forPeople(bytes)
              + "; what the archive has says which: 'tailwater verify DESTINATION'");
    }
  }
}
