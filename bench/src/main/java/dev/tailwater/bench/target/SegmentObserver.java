package dev.tailwater.bench.target;

import java.io.IOException;

/** Sees segments appear at a destination, beside the program that delivers them. */
public interface SegmentObserver extends AutoCloseable {
  /** Called by several threads. */
  interface Listener {
    /**
     * A segment is there.
     *
     * @param fileName the name of the source file
     * @param durable whether it survives a power cut, or has only been seen
     * @param nanos when, by {@link System#nanoTime}
     */
    void segment(String fileName, long endBytes, boolean durable, long nanos);
  }

  /** Throws what went wrong in the background, if anything did. */
  void requireHealthy() throws IOException;

  @Override
  void close() throws IOException;
}
