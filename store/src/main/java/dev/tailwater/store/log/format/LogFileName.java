package dev.tailwater.store.log.format;

import dev.tailwater.posix.PosixPath;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a log or snapshot: kind and sequence number as 19 decimal digits, so that names sort.
 *
 * @param sequence at least 1; a snapshot carries the number of the last log that it replaces
 */
public record LogFileName(FileKind kind, long sequence) {
  static final PosixPath LOCK = PosixPath.of("LOCK");

  private static final String TEMPORARY_SUFFIX = ".tmp";
  private static final Pattern NAME = Pattern.compile("(log-|snapshot-)(\\d{19})(\\.tmp)?");

  public PosixPath path() {
    return PosixPath.of(text());
  }

  /** The name under which the file is written before it is complete. */
  public PosixPath temporaryPath() {
    return PosixPath.of(text() + TEMPORARY_SUFFIX);
  }

  private String text() {
    return "%s%019d".formatted(kind.namePrefix(), sequence);
  }

  /** Parses the name of a complete log or snapshot; returns empty for every other name. */
  public static Optional<LogFileName> parse(PosixPath name) {
    Matcher matcher = NAME.matcher(name.toString());
    if (!matcher.matches() || matcher.group(3) != null) {
      return Optional.empty();
    }
    FileKind kind = matcher.group(1).startsWith("log") ? FileKind.LOG : FileKind.SNAPSHOT;
    try {
      long sequence = Long.parseLong(matcher.group(2));
      return sequence < 1 ? Optional.empty() : Optional.of(new LogFileName(kind, sequence));
    } catch (NumberFormatException tooLarge) {
      return Optional.empty();
    }
  }

  public static boolean isTemporary(PosixPath name) {
    Matcher matcher = NAME.matcher(name.toString());
    return matcher.matches() && matcher.group(3) != null;
  }
}
