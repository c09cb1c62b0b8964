package dev.tailwater.bench.target;

import dev.tailwater.bench.run.ProgramOptions;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A bucket of fake-gcs-server, on the PATH or in {@code ~/go/bin}, as a process of its own over a
 * directory. It writes a line to its log for each request, and an object is a file.
 */
final class GcsTarget implements Target {
  private static final String BUCKET = "bench";
  private static final Pattern REQUEST =
      Pattern.compile("\"(GET|PUT|POST|DELETE|HEAD) (\\S+) HTTP");

  private final LoopbackServer server;
  private final Path directory;
  private long logStartBytes;

  private GcsTarget(LoopbackServer server, Path directory) {
    this.server = server;
    this.directory = directory;
  }

  /**
   * Starts the server, and returns when it answers.
   *
   * @param directory for its data and logs; removed at the end
   */
  static GcsTarget start(Path directory) throws IOException {
    ProgramOptions.delete(directory);
    Files.createDirectories(directory.resolve("data").resolve(BUCKET));
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
    LoopbackServer server = LoopbackServer.start(builder, port, directory.resolve("log"));
    GcsTarget target = new GcsTarget(server, directory);
    target.empty();
    return target;
  }

  @Override
  public String uri() {
    return "gs://"
        + BUCKET
        + "/archive?endpoint="
        + URLEncoder.encode(server.endpoint(), StandardCharsets.UTF_8);
  }

  @Override
  public Map<String, String> environment() {
    return Map.of();
  }

  private Path bucket() {
    return directory.resolve("data").resolve(BUCKET);
  }

  @Override
  public void empty() throws IOException {
    try (Stream<Path> objects = Files.list(bucket())) {
      for (Path object : objects.toList()) {
        ProgramOptions.delete(object);
      }
    }
    logStartBytes = Files.size(directory.resolve("log"));
  }

  @Override
  public Optional<Path> objects() {
    return Optional.of(bucket());
  }

  @Override
  public SegmentObserver observe(SegmentObserver.Listener listener) throws IOException {
    return new ArchiveObserver(bucket(), false, listener);
  }

  @Override
  public String durableMeans() {
    return "the object has its name in the server's directory (inotify); the server syncs nothing";
  }

  @Override
  public Map<String, Long> requests() throws IOException {
    byte[] log = Files.readAllBytes(directory.resolve("log"));
    int from = Math.toIntExact(logStartBytes);
    String text = new String(log, from, log.length - from, StandardCharsets.UTF_8);
    Map<String, Long> counts = new TreeMap<>();
    Matcher request = REQUEST.matcher(text.replace("\\\"", "\""));
    while (request.find()) {
      boolean uploads = request.group(2).startsWith("/upload/");
      counts.merge(request.group(1) + (uploads ? " upload" : ""), 1L, Long::sum);
    }
    return counts;
  }

  @Override
  public void close() throws IOException {
    server.close();
    ProgramOptions.delete(directory);
  }
}
