package dev.tailwater.cli.report;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.posix.EscapedPath;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.StoredGap;
import java.io.PrintStream;
import java.util.List;

/** The report of what is wrong with a stream, to the byte. */
public final class StreamProblems {
  /** The most that is listed of one kind and stream; JSON has all. */
  private static final int MAX_LINES = 20;

  private final PrintStream err;

  public StreamProblems(PrintStream err) {
    this.err = err;
  }

  /** Prints a line for the stream and one for each fault; nothing if there is none. */
  public void print(
      PosixPath path, List<StoredGap> gaps, List<ByteRange> missing, List<Damage> damages) {
    if (gaps.isEmpty() && missing.isEmpty() && damages.isEmpty()) {
      return;
    }
    err.println(EscapedPath.of(path) + ":");
    for (StoredGap gap : gaps) {
      err.println("  gap      " + range(gap.range()) + ": " + Printable.line(gap.reason()));
    }
    for (ByteRange range : missing) {
      err.println("  missing  " + range(range));
    }
    for (Damage.Kind kind : Damage.Kind.values()) {
      List<Damage> ofKind = damages.stream().filter(damage -> damage.kind() == kind).toList();
      ofKind.stream().limit(MAX_LINES).forEach(damage -> print(word(kind), damage));
      if (ofKind.size() > MAX_LINES) {
        int more = ofKind.size() - MAX_LINES;
        err.println("  " + word(kind) + "and " + more + " more; --json names all");
      }
    }
  }

  private void print(String word, Damage damage) {
    String at = damage.offsetBytes().isPresent() ? " at " + damage.offsetBytes().getAsLong() : "";
    err.println("  " + word + Printable.line(damage.key() + at + ": " + damage.why()));
  }

  private static String word(Damage.Kind kind) {
    return switch (kind) {
      case DAMAGED -> "damaged  ";
      case CONTRADICTED -> "differs  ";
      case REFUSED -> "refused  ";
      case UNSIGNED -> "unsigned ";
      case FORGED -> "forged   ";
      case LOCKED -> "locked   ";
      case UNTOLD -> "untold   ";
      case UNREADABLE -> "unread   ";
    };
  }

  private static String range(ByteRange range) {
    return "bytes "
        + range.startBytes()
        + " to "
        + range.endBytes()
        + " ("
        + ByteSizes.forPeople(range.lengthBytes())
        + ")";
  }
}
