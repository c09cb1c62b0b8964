package dev.tailwater.cli.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether fewer files may be open at once than the program needs. The JVM, its libraries and the
 * plug-ins open files whenever they need some, and what they throw then seldom says why it failed:
 * a plug-in seems damaged, a library cannot be loaded, or a class does not exist.
 */
public final class OpenFileShortage {
  /** With plug-ins, the program has about 80 files open before the first one of its work. */
  private static final long LEAST = 100;

  private static final Pattern SOFT_LIMIT = Pattern.compile("Max open files\\s+(\\d+)");
  private static final String RAISE = "raise the limit of open files: ulimit -n 1024, LimitNOFILE=";

  private OpenFileShortage() {}

  /** Returns what to say of a failure that may be due to that; empty where enough may be open. */
  public static Optional<String> hint() {
    try {
      return hint(Files.readString(Path.of("/proc/self/limits")));
    } catch (IOException e) {
      return String.valueOf(e.getMessage()).contains("Too many open files")
          ? Optional.of("all files that may be open at once are; " + RAISE)
          : Optional.empty();
    }
  }

  /**
   * Returns the same.
   *
   * @param limits the content of {@code /proc/self/limits}, see proc(5)
   */
  static Optional<String> hint(String limits) {
    Matcher limit = SOFT_LIMIT.matcher(limits);
    if (!limit.find() || limit.group(1).length() > 3 || Long.parseLong(limit.group(1)) >= LEAST) {
      return Optional.empty();
    }
    return Optional.of(
        "only "
            + limit.group(1)
            + " files may be open at once, too few for this program, which may be why anything"
            + " fails; "
            + RAISE);
  }
}
