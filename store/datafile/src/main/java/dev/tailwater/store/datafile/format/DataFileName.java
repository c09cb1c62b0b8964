package dev.tailwater.store.datafile.format;

import dev.tailwater.posix.PosixPath;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a data file: which places in the order of all records it takes.
 *
 * <p>Records are ordered by place, and within a file by offset; this is always the order of their
 * sequence numbers. A file that was vacuumed has the places of those that it replaces, and a higher
 * generation.
 *
 * @param first first place, at least 1
 * @param last last place; the same as the first unless files were joined
 * @param generation how often records of these places were rewritten
 */
public record DataFileName(long first, long last, int generation)
    implements Comparable<DataFileName> {
  private static final String DATA = "data-";
  private static final String HINT = "hint-";
  private static final Pattern NUMBERS = Pattern.compile("(\\d{10})-(\\d{10})-(\\d{6})");
  static final long MAX_PLACE = 9_999_999_999L;
  static final int MAX_GENERATION = 999_999;

  /** The suffix of a file that is not complete. */
  public static final String TEMPORARY_SUFFIX = ".tmp";

  public DataFileName {
    if (first < 1
        || last < first
        || last > MAX_PLACE
        || generation < 0
        || generation > MAX_GENERATION) {
      throw new IllegalArgumentException(first + " to " + last + ", generation " + generation);
    }
  }

  /** The file behind this one that has not been vacuumed. */
  public DataFileName next() {
    return new DataFileName(last + 1, last + 1, 0);
  }

  /** Its name in the directory. */
  public PosixPath path() {
    return PosixPath.of(text());
  }

  /** The name under which it is written before it is complete. */
  public PosixPath temporaryPath() {
    return PosixPath.of(text() + TEMPORARY_SUFFIX);
  }

  /** The name of its hint file. */
  public PosixPath hintPath() {
    return PosixPath.of(HINT + numbers());
  }

  private String text() {
    return DATA + numbers();
  }

  private String numbers() {
    return "%010d-%010d-%06d".formatted(first, last, generation);
  }

  /** Whether this file stands in the place of the other. */
  public boolean replaces(DataFileName other) {
    return first <= other.first && last >= other.last && generation > other.generation;
  }

  /** Parses the name of a complete data file; returns empty for every other name. */
  public static Optional<DataFileName> parse(PosixPath name) {
    return parse(name, DATA);
  }

  /** Parses the name of a hint; returns its data file, or empty for every other name. */
  public static Optional<DataFileName> parseHint(PosixPath name) {
    return parse(name, HINT);
  }

  private static Optional<DataFileName> parse(PosixPath name, String prefix) {
    String text = name.toString();
    if (!text.startsWith(prefix)) {
      return Optional.empty();
    }
    Matcher matcher = NUMBERS.matcher(text.substring(prefix.length()));
    if (!matcher.matches()) {
      return Optional.empty();
    }
    long first = Long.parseLong(matcher.group(1));
    long last = Long.parseLong(matcher.group(2));
    if (first < 1 || last < first) {
      return Optional.empty();
    }
    return Optional.of(new DataFileName(first, last, Integer.parseInt(matcher.group(3))));
  }

  @Override
  public int compareTo(DataFileName other) {
    int order = Long.compare(first, other.first);
    return order != 0 ? order : Integer.compare(generation, other.generation);
  }
}
