package dev.tailwater.cli.report;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.StoredGap;
import java.io.PrintStream;
import java.util.List;

/** Tells people to the byte what is wrong with a stream. */
public final class Faults {
  private final PrintStream err;

  public Faults(PrintStream err) {
    this.err = err;
  }

  /** A line for the stream and one for each fault; nothing when there is none. */
  public void print(
      PosixPath path, List<StoredGap> gaps, List<ByteRange> missing, List<Damage> damages) {
    if (gaps.isEmpty() && missing.isEmpty() && damages.isEmpty()) {
      return;
    }
    err.println(Printable.line(path.toString()) + ":");
    for (StoredGap gap : gaps) {
      err.println("  gap      " + range(gap.range()) + ": " + Printable.line(gap.reason()));
    }
    for (ByteRange range : missing) {
      err.println("  missing  " + range(range));
    }
    for (Damage damage : damages) {
      String at = damage.offsetBytes().isPresent() ? " at " + damage.offsetBytes().getAsLong() : "";
      err.println("  damaged  " + Printable.line(damage.key() + at + ": " + damage.why()));
    }
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
