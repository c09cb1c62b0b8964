package dev.tailwater.bench.target;

import dev.tailwater.bench.run.ProgramOptions;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A container of Azurite, on the PATH or where the tests of {@code destination/azure} find it, as a
 * process of its own. It writes a line to its log for each request. Its objects are parts of larger
 * files, so its log tells when they appear, and each round gets a container of its own.
 */
final class AzureTarget implements Target {
  private static final String ACCOUNT = "devstoreaccount1";

  /** The emulator's key, which is the same everywhere. */
  private static final String KEY =
      "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

  /** With two digits for each day, which RFC_1123_DATE_TIME does not promise. */
  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT);

  private static final String VERSION = "2025-11-05";
  private static final Pattern REQUEST =
      Pattern.compile("\"(GET|PUT|POST|DELETE|HEAD) (\\S+) HTTP");

  private final LoopbackServer server;
  private final Path directory;
  private long logStartBytes;
  private int containers;

  private AzureTarget(LoopbackServer server, Path directory) {
    this.server = server;
    this.directory = directory;
  }

  /**
   * Starts the server, and returns when it answers.
   *
   * @param directory for its data and logs; removed at the end
   */
  static AzureTarget start(Path directory) throws IOException {
    ProgramOptions.delete(directory);
    Files.createDirectories(directory.resolve("data"));
    int port = LoopbackServer.freePort();
    ProcessBuilder builder =
        new ProcessBuilder(
            program(),
            "--blobPort",
            Integer.toString(port),
            "--location",
            directory.resolve("data").toString(),
            "--skipApiVersionCheck",
            "--disableTelemetry");
    LoopbackServer server = LoopbackServer.start(builder, port, directory.resolve("log"));
    AzureTarget target = new AzureTarget(server, directory);
    try {
      target.empty();
      return target;
    } catch (IOException e) {
      target.close();
      throw e;
    }
  }

  private static String program() throws IOException {
    Path installed =
        Path.of(
            System.getProperty("user.home"),
            ".cache/tailwater/azurite-3.35.0/node_modules/.bin/azurite-blob");
    return Files.isExecutable(installed)
        ? installed.toString()
        : LoopbackServer.program("azurite-blob", "npm install azurite@3.35.0");
  }

  @Override
  public String uri() {
    return "az://"
        + ACCOUNT
        + "/"
        + container()
        + "/archive?endpoint="
        + URLEncoder.encode(server.endpoint(), StandardCharsets.UTF_8);
  }

  private String container() {
    return "bench-" + containers;
  }

  @Override
  public Map<String, String> environment() {
    return Map.of("AZURE_STORAGE_KEY", KEY);
  }

  @Override
  public void empty() throws IOException {
    if (containers > 0) {
      sendForContainer("DELETE", 202);
    }
    containers++;
    sendForContainer("PUT", 201);
    logStartBytes = Files.size(directory.resolve("log"));
  }

  private void sendForContainer(String method, int expected) throws IOException {
    String path = "/" + ACCOUNT + "/" + container();
    String date = HTTP_DATE.format(ZonedDateTime.now(ZoneOffset.UTC));
    String text =
        method
            + "\n".repeat(12)
            + "x-ms-date:"
            + date
            + "\nx-ms-version:"
            + VERSION
            + "\n/"
            + ACCOUNT
            + path
            + "\nrestype:container";
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.endpoint() + path + "?restype=container"))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .header("x-ms-date", date)
            .header("x-ms-version", VERSION)
            .header("Authorization", "SharedKey " + ACCOUNT + ":" + signature(text))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != expected) {
        throw new IOException(method + " " + path + ": " + answer.statusCode() + answer.body());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static String signature(String text) throws IOException {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(KEY), "HmacSHA256"));
      return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IOException("no signature", e);
    }
  }

  @Override
  public SegmentObserver observe(SegmentObserver.Listener listener) throws IOException {
    return new LogObserver(directory.resolve("log"), listener);
  }

  @Override
  public String durableMeans() {
    return "the server has answered the request and logged that; it syncs nothing";
  }

  @Override
  public Map<String, Long> requests() throws IOException {
    byte[] log = Files.readAllBytes(directory.resolve("log"));
    int from = Math.toIntExact(logStartBytes);
    String text = new String(log, from, log.length - from, StandardCharsets.UTF_8);
    Map<String, Long> counts = new TreeMap<>();
    Matcher request = REQUEST.matcher(text);
    while (request.find()) {
      counts.merge(kind(request.group(1), request.group(2)), 1L, Long::sum);
    }
    return counts;
  }

  private static String kind(String method, String target) {
    if (target.contains("comp=")) {
      return method + " " + target.replaceFirst(".*[?&]comp=([a-z]+).*", "$1");
    }
    return method + (target.matches("[^?]*\\.(zst|gz)(\\.age)?") ? " segment" : "");
  }

  @Override
  public void close() throws IOException {
    server.close();
    ProgramOptions.delete(directory);
  }
}
