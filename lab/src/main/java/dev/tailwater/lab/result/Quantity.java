package dev.tailwater.lab.result;

/**
 * A quantity that is measured.
 *
 * @param name as the head of a column: {@code throughput}
 * @param unit {@code MB/s} (10⁶ bytes), {@code µs}, {@code requests}, {@code 1/s}
 * @param better which values are better
 */
public record Quantity(String name, String unit, Better better) {
  /** Which values are better. */
  public enum Better {
    MORE,
    LESS,
    /** Neither, as for a size or a share. */
    NONE
  }

  public static Quantity more(String name, String unit) {
    return new Quantity(name, unit, Better.MORE);
  }

  public static Quantity less(String name, String unit) {
    return new Quantity(name, unit, Better.LESS);
  }
}
