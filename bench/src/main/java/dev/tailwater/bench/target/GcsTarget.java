package dev.tailwater.bench.target;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bucket of fake-gcs-server, on the PATH or in {@code ~/go/bin}, as a process of its own over a
 * directory. It writes a line to its log for each request, and an object is a file.
 */
final class GcsTarget implements Target {
  private static final Pattern REQUEST =
      Pattern.compile("\"(GET|PUT|POST|DELETE|HEAD) (\\S+) HTTP");

  private final ServedBucket bucket;

  private GcsTarget(ServedBucket bucket) {
    this.bucket = bucket;
  }

  /**
   * Starts the server, and returns when it answers.
   *
   * @param directory for its data and logs; removed at the end
   */
  static GcsTarget start(Path directory) throws IOException {
    ServedBucket.prepare(directory);
    int port = LoopbackServer.freePort();
    ProcessBuilder builder =
        new ProcessBuilder(
            LoopbackServer.program("fake-gcs-server", "github.com/fsouza/fake-gcs-server@v1.56.1"),
            "-scheme",
            "http",
            "-host",
            "127.0.0.1",
            "-port",
            Integer.toString(port),
            "-filesystem-root",
            directory.resolve("data").toString(),
            "-log-level",
            "info");
    return new GcsTarget(ServedBucket.start(builder, port, directory, "log"));
  }

  @Override
  public String uri() {
    return bucket.uri("gs");
  }

  @Override
  public Map<String, String> environment() {
    return Map.of();
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
  public Map<String, Long> requests() throws IOException {
    Map<String, Long> counts = new TreeMap<>();
    Matcher request = REQUEST.matcher(bucket.logged().replace("\\\"", "\""));
    while (request.find()) {
      boolean uploads = request.group(2).startsWith("/upload/");
      counts.merge(request.group(1) + (uploads ? " upload" : ""), 1L, Long::sum);
    }
    return counts;
  }

  @Override
  public void close() throws IOException {
    bucket.close();
  }
}
