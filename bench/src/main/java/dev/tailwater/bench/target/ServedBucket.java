package dev.tailwater.bench.target;

import dev.tailwater.bench.run.ProgramOptions;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * A bucket of a server on loopback that keeps each object as a file, and writes a line for each
 * request to a log. For one thread.
 */
final class ServedBucket implements AutoCloseable {
  private static final String BUCKET = "bench";

  private final LoopbackServer server;
  private final Path directory;
  private final Path log;
  private long logStartBytes;

  private ServedBucket(LoopbackServer server, Path directory, Path log) {
    this.server = server;
    this.directory = directory;
    this.log = log;
  }

  /** Empties a directory for a server, with a bucket in its {@code data}. */
  static void prepare(Path directory) throws IOException {
    ProgramOptions.delete(directory);
    Files.createDirectories(directory.resolve("data").resolve(BUCKET));
  }

  /**
   * Starts the server, and returns when it answers and the bucket is empty.
   *
   * @param directory for its data and logs; removed at the end
   * @param log the name of the file in it that has the requests
   */
  static ServedBucket start(ProcessBuilder builder, int port, Path directory, String log)
      throws IOException {
    LoopbackServer server = LoopbackServer.start(builder, port, directory.resolve("log"));
    ServedBucket bucket = new ServedBucket(server, directory, directory.resolve(log));
    boolean started = false;
    try {
      bucket.empty();
      started = true;
      return bucket;
    } finally {
      if (!started) {
        bucket.close();
      }
    }
  }

  String uri(String scheme) {
    return uri(scheme, server.endpoint());
  }

  /** The URI of the bucket at another address of the server. */
  static String uri(String scheme, String endpoint) {
    String encoded = URLEncoder.encode(endpoint, StandardCharsets.UTF_8);
    return scheme + "://" + BUCKET + "/archive?endpoint=" + encoded;
  }

  Path path() {
    return directory.resolve("data").resolve(BUCKET);
  }

  /** Removes all objects; requests are counted from here on. */
  void empty() throws IOException {
    try (Stream<Path> objects = Files.list(path())) {
      for (Path object : objects.toList()) {
        ProgramOptions.delete(object);
      }
    }
    logStartBytes = Files.size(log);
  }

  SegmentObserver observe(SegmentObserver.Listener listener) throws IOException {
    return new ArchiveObserver(path(), false, listener);
  }

  static String durableMeans() {
    return "the object has its name in the server's directory (inotify); the server syncs nothing";
  }

  /** Returns what was logged since the bucket was emptied. */
  String logged() throws IOException {
    byte[] all = Files.readAllBytes(log);
    int from = Math.toIntExact(logStartBytes);
    return new String(all, from, all.length - from, StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    server.close();
    ProgramOptions.delete(directory);
  }
}
