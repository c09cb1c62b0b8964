package dev.tailwater.lab.result;

/** From {@code low} to {@code high}, both included. */
public record Interval(double low, double high) {
  /** Have the two nothing in common? */
  public boolean isApartFrom(Interval other) {
    return high < other.low || other.high < low;
  }

  /** Half its width, as a part of its middle; 0.05 is plus or minus 5 %. */
  public double relativeHalfWidth() {
    double middle = (low + high) / 2;
    return middle == 0 ? 0 : (high - low) / 2 / Math.abs(middle);
  }
}
