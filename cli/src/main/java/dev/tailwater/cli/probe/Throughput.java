package dev.tailwater.cli.probe;

/**
 * A measurement of throughput.
 *
 * @param parallel puts under way at once
 * @param segmentBytes length of each
 * @param bytes of all that were put
 * @param nanos from the beginning of the first to the end of the last
 */
public record Throughput(int parallel, int segmentBytes, long bytes, long nanos) {
  public double bytesPerSecond() {
    return nanos == 0 ? 0 : bytes * 1e9 / nanos;
  }
}
