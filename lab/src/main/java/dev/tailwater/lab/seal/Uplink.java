package dev.tailwater.lab.seal;

/** The rate of an uplink. */
enum Uplink {
  MBIT_10("10 Mbit/s", 1.25),
  MBIT_100("100 Mbit/s", 12.5),
  GBIT_1("1 Gbit/s", 125),
  GBIT_10("10 Gbit/s", 1_250);

  private final String words;
  private final double megabytesPerSecond;

  Uplink(String words, double megabytesPerSecond) {
    this.words = words;
    this.megabytesPerSecond = megabytesPerSecond;
  }

  double megabytesPerSecond() {
    return megabytesPerSecond;
  }

  @Override
  public String toString() {
    return words;
  }
}
