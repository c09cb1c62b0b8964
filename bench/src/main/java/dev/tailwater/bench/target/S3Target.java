package dev.tailwater.bench.target;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bucket of versitygw, on the PATH or in {@code ~/go/bin}, as a process of its own over a
 * directory. It writes a line to its access log for each request. An object is a file that has its
 * name when the whole body has arrived and its checksum was compared; the server syncs nothing.
 */
public final class S3Target implements Target {
  private static final String ACCESS_KEY = "tailwater-bench";
  private static final String SECRET_KEY = "a-secret-of-the-bench";
  private static final Pattern REQUEST = Pattern.compile(" s3_([A-Za-z0-9]+) (\\S+) ");

  private final ServedBucket bucket;

  private final Optional<DelayedLink> link;

  private S3Target(ServedBucket bucket, Optional<DelayedLink> link) {
    this.bucket = bucket;
    this.link = link;
  }

  /**
   * Starts the server, and returns when it answers.
   *
   * @param directory for its data and logs; removed at the end
   */
  public static S3Target start(Path directory) throws IOException {
    return start(directory, 0);
  }

  /**
   * Starts the server, behind a link if there is a delay.
   *
   * @param delayMillis how long what the program sends is on its way; 0: there is no link
   */
  static S3Target start(Path directory, int delayMillis) throws IOException {
    int port = LoopbackServer.freePort();
    ServedBucket bucket = serve(directory, port);
    if (delayMillis == 0) {
      return new S3Target(bucket, Optional.empty());
    }
    try {
      return new S3Target(bucket, Optional.of(DelayedLink.start(port, delayMillis)));
    } catch (IOException e) {
      bucket.close(); // Or its process would outlive the benchmark.
      throw e;
    }
  }

  private static ServedBucket serve(Path directory, int port) throws IOException {
    ServedBucket.prepare(directory);
    ProcessBuilder builder =
        new ProcessBuilder(
            LoopbackServer.program(
                "versitygw", "github.com/versity/versitygw/cmd/versitygw@v1.8.0"),
            "--port",
            "127.0.0.1:" + port,
            "--quiet",
            "--access-log",
            directory.resolve("access").toString(),
            "posix",
            directory.resolve("data").toString());
    builder.environment().put("ROOT_ACCESS_KEY", ACCESS_KEY);
    builder.environment().put("ROOT_SECRET_KEY", SECRET_KEY);
    return ServedBucket.start(builder, port, directory, "access");
  }

  @Override
  public String uri() {
    return link.map(delayed -> ServedBucket.uri("s3", delayed.endpoint()))
        .orElseGet(() -> bucket.uri("s3"));
  }

  @Override
  public Map<String, String> environment() {
    return Map.of("AWS_ACCESS_KEY_ID", ACCESS_KEY, "AWS_SECRET_ACCESS_KEY", SECRET_KEY);
  }

  @Override
  public void empty() throws IOException {
    bucket.empty();
  }

  @Override
  public SegmentObserver observe(SegmentObserver.Listener listener) throws IOException {
    return bucket.observe(listener);
  }

  @Override
  public String durableMeans() {
    return ServedBucket.durableMeans();
  }

  @Override
  public Optional<Path> objects() {
    return Optional.of(bucket.path());
  }

  @Override
  public Map<String, Long> requests() throws IOException {
    Map<String, Long> counts = new TreeMap<>();
    for (String line : bucket.logged().lines().toList()) {
      Matcher request = REQUEST.matcher(line);
      if (!request.find()) {
        throw new IOException("not a line of versitygw's access log: " + line);
      }
      counts.merge(kind(request.group(1), request.group(2)), 1L, Long::sum);
    }
    return counts;
  }

  /** As S3 calls the request; puts by what is put. */
  private static String kind(String action, String key) {
    if (!action.equals("PutObject")) {
      return action;
    }
    return key.matches(".*\\.(zst|gz)(\\.age)?") ? "PutObject segment" : "PutObject other";
  }

  @Override
  public void close() throws IOException {
    if (link.isPresent()) {
      link.get().close();
    }
    bucket.close();
  }
}
