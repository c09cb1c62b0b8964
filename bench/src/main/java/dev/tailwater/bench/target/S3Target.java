package dev.tailwater.bench.target;

import dev.tailwater.bench.run.ProgramOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A bucket of versitygw, on the PATH or in {@code ~/go/bin}, as a process of its own over a
 * directory. It writes a line to its access log for each request. An object is a file that has its
 * name when the whole body has arrived and its checksum was compared; the server syncs nothing.
 */
public final class S3Target implements Target {
  private static final String BUCKET = "bench";
  private static final String ACCESS_KEY = "tailwater-bench";
  private static final String SECRET_KEY = "a-secret-of-the-bench";
  private static final long START_SECONDS = 30;
  private static final Pattern REQUEST = Pattern.compile(" s3_([A-Za-z0-9]+) (\\S+) ");

  private final Process process;
  private final Path directory;
  private final int port;
  private long logStartBytes;

  private S3Target(Process process, Path directory, int port) {
    this.process = process;
    this.directory = directory;
    this.port = port;
  }

  /**
   * Starts the server, and returns when it answers.
   *
   * @param directory for its data and logs; removed at the end
   */
  public static S3Target start(Path directory) throws IOException {
    ProgramOptions.delete(directory);
    Files.createDirectories(directory.resolve("data").resolve(BUCKET));
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    ProcessBuilder builder =
        new ProcessBuilder(
            program().toString(),
            "--port",
            "127.0.0.1:" + port,
            "--quiet",
            "--access-log",
            directory.resolve("access").toString(),
            "posix",
            directory.resolve("data").toString());
    builder.environment().put("ROOT_ACCESS_KEY", ACCESS_KEY);
    builder.environment().put("ROOT_SECRET_KEY", SECRET_KEY);
    Path log = directory.resolve("log");
    Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    S3Target target = new S3Target(process, directory, port);
    try {
      target.awaitAnswer(log);
      target.empty();
      return target;
    } catch (IOException | InterruptedException e) {
      target.close();
      throw e instanceof IOException failure ? failure : new IOException("interrupted", e);
    }
  }

  private static Path program() throws IOException {
    Stream<String> places =
        Stream.concat(
            Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1)),
            Stream.of(System.getProperty("user.home") + "/go/bin"));
    return places
        .map(place -> Path.of(place, "versitygw"))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(
            () ->
                new IOException(
                    "versitygw is not installed:"
                        + " go install github.com/versity/versitygw/cmd/versitygw@v1.8.0"));
  }

  private void awaitAnswer(Path log) throws IOException, InterruptedException {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!answers()) {
      if (!process.isAlive() || System.nanoTime() - deadlineNanos > 0) {
        throw new IOException("versitygw does not start: " + Files.readString(log));
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private boolean answers() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(2000);
      socket.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      return socket.getInputStream().read() == 'H';
    } catch (IOException e) {
      return false; // Not yet.
    }
  }

  @Override
  public String uri() {
    String endpoint = "http://127.0.0.1:" + port;
    return "s3://"
        + BUCKET
        + "/archive?endpoint="
        + URLEncoder.encode(endpoint, StandardCharsets.UTF_8);
  }

  @Override
  public Map<String, String> environment() {
    return Map.of("AWS_ACCESS_KEY_ID", ACCESS_KEY, "AWS_SECRET_ACCESS_KEY", SECRET_KEY);
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
    logStartBytes = Files.size(directory.resolve("access"));
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
    byte[] log = Files.readAllBytes(directory.resolve("access"));
    int from = Math.toIntExact(logStartBytes);
    String text = new String(log, from, log.length - from, StandardCharsets.UTF_8);
    Map<String, Long> counts = new TreeMap<>();
    for (String line : text.lines().toList()) {
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
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    ProgramOptions.delete(directory);
  }
}
