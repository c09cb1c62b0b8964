package dev.tailwater.cli.estimate;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is written to files.
 *
 * @param growths groups of files that grow alike
 */
public record Workload(List<Growth> growths) {
  /** The most files, and the most bytes a second, that a calculation takes. */
  private static final double MOST = 1e12;

  private static final Pattern FORM =
      Pattern.compile("([0-9]{1,12}), ?([0-9]{1,12}(?:\\.[0-9]{1,6})?)");

  /**
   * Files that each grow by as much.
   *
   * @param bytesPerSecond of each file
   */
  public record Growth(long files, double bytesPerSecond) {
    public Growth {
      if (files < 1 || !(bytesPerSecond > 0) || bytesPerSecond > MOST || files > MOST) {
        throw new IllegalArgumentException(files + " files that grow by " + bytesPerSecond);
      }
    }

    /**
     * Reads {@code FILES,BYTES_PER_SECOND}.
     *
     * @throws IllegalArgumentException it is not that; the message says what is expected
     */
    public static Growth parse(String text) {
      Matcher matcher = FORM.matcher(text);
      long files = matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
      double bytesPerSecond = matcher.matches() ? Double.parseDouble(matcher.group(2)) : 0;
      if (files == 0 || bytesPerSecond == 0) {
        throw new IllegalArgumentException(
            "expected a number of files and by how many bytes each grows in a second, such as"
                + " 100,1000, both more than 0, not '"
                + text
                + "'");
      }
      return new Growth(files, bytesPerSecond);
    }

    double allBytesPerSecond() {
      return files * bytesPerSecond;
    }
  }

  public Workload {
    growths = List.copyOf(growths);
  }

  /** Returns files that all grow alike. */
  public static Workload of(long files, double bytesPerSecond) {
    return new Workload(List.of(new Growth(files, bytesPerSecond)));
  }

  /** Returns how many files grow. */
  public long files() {
    return growths.stream().mapToLong(Growth::files).sum();
  }

  /** Returns how many files usually have bytes that are younger than this. */
  double waitingFiles(double seconds) {
    return growths.stream()
        .mapToDouble(growth -> growth.files() * Math.min(1, growth.bytesPerSecond() * seconds))
        .sum();
  }

  /** Returns by how much all of them grow. */
  public double bytesPerSecond() {
    return growths.stream().mapToDouble(Growth::allBytesPerSecond).sum();
  }
}
