package dev.tailwater.delivery.neighbour;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file with pressure stall information. Only its sum is used, which is up to date at each
 * reading; its averages are seconds old.
 *
 * @see <a href="https://docs.kernel.org/accounting/psi.html">PSI, Pressure Stall Information</a>
 */
final class PressureFile {
  private static final Pattern SOME = Pattern.compile("(?m)^some .*\\btotal=([0-9]{1,18})\\b");

  private final Path path;

  PressureFile(Path path) {
    this.path = path;
  }

  Path path() {
    return path;
  }

  /**
   * Returns for how many microseconds since the start some thread has waited; empty when the file
   * does not exist or cannot be understood. A kernel with {@code psi=0} refuses the reading.
   */
  OptionalLong someMicros() {
    String text;
    try {
      text = Files.readString(path);
    } catch (IOException e) {
      return OptionalLong.empty(); // The caller reports that.
    }
    Matcher matcher = SOME.matcher(text);
    return matcher.find()
        ? OptionalLong.of(Long.parseLong(matcher.group(1)))
        : OptionalLong.empty();
  }
}
