package dev.tailwater.bench.target;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What the measured program delivers to, empty at first: a directory, or a server of its own on
 * loopback, whose processor time is not the program's.
 */
public interface Target extends AutoCloseable {
  /** As given to {@code tailwater ship}. */
  String uri() throws IOException;

  /** Variables that the program needs, such as credentials. */
  Map<String, String> environment();

  /** As if nothing had ever been delivered; not while a program delivers. */
  void empty() throws IOException;

  /** Begins to look for segments. */
  SegmentObserver observe(SegmentObserver.Listener listener) throws IOException;

  /** When {@link #observe} calls a segment durable, for the report. */
  String durableMeans();

  /** The directory in which each object is a file; empty if the server keeps them otherwise. */
  default Optional<Path> objects() {
    return Optional.empty();
  }

  /** Requests that the server has answered since {@link #empty}, by kind; none of a directory. */
  Map<String, Long> requests() throws IOException;

  @Override
  void close() throws IOException;
}
