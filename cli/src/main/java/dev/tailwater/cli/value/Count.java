package dev.tailwater.cli.value;

/** Numbers of things, in words. */
public final class Count {
  private Count() {}

  /**
   * Returns {@code 1 file}, or {@code 2 files}.
   *
   * @param one what one of them is called
   */
  public static String of(long count, String one) {
    return of(count, one, one + "s");
  }

  /** Returns {@code 1 file is}, or {@code 2 files are}. */
  public static String of(long count, String one, String several) {
    return count + " " + (count == 1 ? one : several);
  }
}
