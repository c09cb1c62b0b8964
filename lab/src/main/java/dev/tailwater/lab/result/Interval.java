package dev.tailwater.lab.result;

/** An interval from {@code low} to {@code high}, both included. */
public record Interval(double low, double high) {
  /**
   * Returns whether there is a gap between two intervals.
   *
   * @param part the part of the nearer end of the lower one that the gap must exceed; 0.1 is 10 %
   */
  public boolean isApartFrom(Interval other, double part) {
    double below = Math.min(high, other.high);
    double above = Math.max(low, other.low);
    return above - below > part * Math.abs(below);
  }

  /** Returns half its width, as a part of its middle; 0.05 is plus or minus 5 %. */
  public double relativeHalfWidth() {
    double middle = (low + high) / 2;
    return middle == 0 ? 0 : (high - low) / 2 / Math.abs(middle);
  }
}
