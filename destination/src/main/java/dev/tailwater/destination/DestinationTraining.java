package dev.tailwater.destination;

import java.io.IOException;

/**
 * A plug-in's part in making a start-up cache: a place on this machine that the program delivers to
 * once, so that the classes which a delivery loads are in the cache. Implementations are found by
 * the service loader on the class path.
 */
public interface DestinationTraining {
  /** Returns the scheme of the URIs that are trained: {@code s3}. */
  String scheme();

  /** Begins to serve an empty place. */
  Place begin() throws IOException;

  /** A place that exists until it is closed. */
  interface Place extends AutoCloseable {
    /** Returns the URI to deliver to. */
    String uri();

    /**
     * Returns whether a delivery can succeed. Otherwise a call fails, after most of the classes
     * were loaded.
     */
    boolean serves();

    @Override
    void close() throws IOException;
  }
}
