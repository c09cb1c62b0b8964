package dev.tailwater.lab.result;

/** From {@code low} to {@code high}, both included. */
public record Interval(double low, double high) {
  /**
   * Is there a gap between the two?
   *
   * @param part of the nearer end of the lower one that the gap must be wider than; 0.1 is 10 %
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
