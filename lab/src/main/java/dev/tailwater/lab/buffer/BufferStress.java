package dev.tailwater.lab.buffer;

import dev.tailwater.lab.measure.ChildJvm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of a stress by threads that take large buffers all the time.
 *
 * @param outOfMemory whether it ended by an OutOfMemoryError
 * @param buffersPerSecond that were taken and written to
 * @param curve resident memory of the JVM over time, at least one sample
 */
record BufferStress(boolean outOfMemory, double buffersPerSecond, List<Sample> curve) {
  /** The size that the article used. */
  static final int BUFFER_BYTES = 10 << 20;

  /** The limit of direct memory that the article used. */
  static final int DIRECT_MEBIBYTES = 256;

  private static final int OUT_OF_MEMORY = 0;
  private static final int TAKEN = 1;
  private static final int MILLIS = 2;
  private static final int CURVE = 3;

  /** The resident memory at one moment. */
  record Sample(double millis, double residentMebibytes) {}

  BufferStress {
    curve = List.copyOf(curve);
  }

  /** Runs the stress in a JVM of its own. */
  static BufferStress run(BufferWay way, int threads, int millis) throws IOException {
    List<String> options =
        List.of(
            "-XX:+UseSerialGC",
            "-Xmx" + heapMebibytes(threads) + "m",
            "-XX:MaxDirectMemorySize=" + DIRECT_MEBIBYTES + "m",
            "--enable-native-access=ALL-UNNAMED");
    try (ChildJvm child =
        ChildJvm.start(
            "the JVM with buffers, " + way,
            List.of(),
            options,
            BufferStressChild.class,
            List.of())) {
      return of(child.ask(way.name(), threads, BUFFER_BYTES, millis));
    }
  }

  /** Returns the size of the heap; for two threads, the article's 128 MiB. */
  static int heapMebibytes(int threads) {
    return 64 + 32 * threads;
  }

  private static BufferStress of(double[] answer) {
    List<Sample> curve = new ArrayList<>();
    for (int i = CURVE; i + 1 < answer.length; i += 2) {
      curve.add(new Sample(answer[i], answer[i + 1] / 1024));
    }
    return new BufferStress(
        answer[OUT_OF_MEMORY] == 1, answer[TAKEN] * 1e3 / Math.max(1, answer[MILLIS]), curve);
  }

  /** Returns the largest growth of resident memory. */
  double grownMebibytes() {
    return curve.stream().mapToDouble(Sample::residentMebibytes).max().orElseThrow()
        - curve.getFirst().residentMebibytes();
  }

  /** Returns the resident memory at the last sample that is not later than the given moment. */
  double residentMebibytesAt(double millis) {
    return curve.stream()
        .filter(sample -> sample.millis() <= millis)
        .reduce((_, later) -> later)
        .orElse(curve.getFirst())
        .residentMebibytes();
  }
}
