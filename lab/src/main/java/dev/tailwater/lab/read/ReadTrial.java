package dev.tailwater.lab.read;

import dev.tailwater.lab.measure.PageFaults;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * A trial that reads one file by one way. It measures how fast it is, the number of page faults,
 * and the time of a garbage collection that another thread requests meanwhile. The collector waits
 * for a thread that is in a critical call, and for one that waits for a page fault in Java code.
 */
final class ReadTrial {
  /** The bytes to read for one figure, so that short files are read often. */
  private static final long READ_BYTES = 16 << 20;

  private static final int MAX_PASSES = 2_000;
  private static final int WARM_UP_PASSES = 40_000;
  private static final double MEBIBYTE = 1 << 20;

  private final ReadFile file;

  ReadTrial(ReadFile file) {
    this.file = file;
  }

  /** Warms up a method until all of it is compiled. */
  void warmUp(ReadWay way, Duration atMost) throws IOException {
    long endNanos = System.nanoTime() + atMost.toNanos();
    for (int pass = 0; pass < WARM_UP_PASSES && System.nanoTime() < endNanos; pass++) {
      way.reading().read();
    }
  }

  /** Returns 10⁶ bytes a second, page faults for each MiB, and milliseconds of a collection. */
  double[] hot(ReadWay way) throws IOException, InterruptedException {
    int passes = Math.clamp(READ_BYTES / file.sizeBytes(), 1, MAX_PASSES);
    way.reading().read();
    double[] read = timed(way, passes);
    return new double[] {read[0], read[1], collectionMillis(way, true)};
  }

  /**
   * Returns the same quantities with nothing of the file in the page cache; reads the file once for
   * each.
   */
  double[] cold(ReadWay way) throws IOException, InterruptedException {
    requireDropped();
    double[] read = timed(way, 1);
    requireDropped();
    return new double[] {read[0], read[1], collectionMillis(way, false)};
  }

  private void requireDropped() throws IOException {
    if (!file.drop()) {
      throw new IOException("the file could not be dropped from the page cache");
    }
  }

  private double[] timed(ReadWay way, int passes) throws IOException {
    double mebibytes = passes * (file.sizeBytes() / MEBIBYTE);
    PageFaults before = PageFaults.ofThisThread();
    long startNanos = System.nanoTime();
    for (int pass = 0; pass < passes; pass++) {
      way.reading().read();
    }
    long nanos = System.nanoTime() - startNanos;
    long faults = PageFaults.ofThisThread().all() - before.all();
    return new double[] {(double) passes * file.sizeBytes() * 1e3 / nanos, faults / mebibytes};
  }

  private double collectionMillis(ReadWay way, boolean again)
      throws IOException, InterruptedException {
    ReadingThread reading = ReadingThread.start(way, again);
    double millis = collectionMillis();
    reading.stop();
    return millis;
  }

  /** Measures a collection while nothing is read. */
  @SuppressWarnings("SystemGcCall") // how long it takes is the question
  static double collectionMillis() {
    long startNanos = System.nanoTime();
    System.gc();
    return (System.nanoTime() - startNanos) / 1e6;
  }

  /** A thread that reads, once or until it is stopped. */
  private static final class ReadingThread {
    private final Thread thread;
    private volatile boolean stopped;
    private volatile boolean begun;
    private volatile Optional<IOException> failure = Optional.empty();

    private ReadingThread(ReadWay way, boolean again) {
      this.thread = Thread.ofPlatform().name("reader").unstarted(() -> run(way, again));
    }

    static ReadingThread start(ReadWay way, boolean again) {
      ReadingThread reading = new ReadingThread(way, again);
      reading.thread.start();
      while (!reading.begun) {
        Thread.onSpinWait();
      }
      return reading;
    }

    private void run(ReadWay way, boolean again) {
      begun = true;
      try {
        do {
          way.reading().read();
        } while (again && !stopped);
      } catch (IOException e) {
        failure = Optional.of(e);
      }
    }

    void stop() throws IOException, InterruptedException {
      stopped = true;
      thread.join();
      Optional<IOException> failed = failure;
      if (failed.isPresent()) {
        throw failed.get();
      }
    }
  }
}
