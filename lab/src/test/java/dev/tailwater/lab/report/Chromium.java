package dev.tailwater.lab.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real Chromium without a window, driven through its DevTools protocol
 * (https://chromedevtools.github.io/devtools-protocol/).
 */
final class Chromium implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;
  private static final String LISTENING = "DevTools listening on ";

  private final ObjectMapper mapper = new ObjectMapper();
  private final Process process;
  private final WebSocket socket;
  private final BlockingQueue<JsonNode> messages = new LinkedBlockingQueue<>();
  private final List<JsonNode> events = new ArrayList<>();
  private String session = "";
  private int sent;

  private Chromium(Process process, URI endpoint) {
    this.process = process;
    this.socket =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .buildAsync(endpoint, new Receiver())
            .join();
  }

  /** The program, if it is installed. */
  static Optional<Path> program() {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
        .flatMap(
            directory ->
                Stream.of("chromium", "chromium-browser", "google-chrome")
                    .map(name -> Path.of(directory, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Starts one with a page in it. */
  static Chromium start(Path program, Path profile) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
                program.toString(),
                "--headless",
                "--no-sandbox", // which root cannot have
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--remote-debugging-port=0",
                "--remote-allow-origins=*",
                "--user-data-dir=" + profile)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("TMPDIR", profile.toString()); // or its socket would stay behind
    Process process = builder.start();
    BufferedReader err = process.errorReader(StandardCharsets.UTF_8);
    StringBuilder said = new StringBuilder();
    for (String line = err.readLine(); line != null; line = err.readLine()) {
      said.append(line).append('\n');
      if (line.startsWith(LISTENING)) {
        // Or it would wait for somebody to read what it says.
        Thread.ofVirtual().start(() -> err.lines().forEach(more -> {}));
        Chromium chromium =
            new Chromium(process, URI.create(line.substring(LISTENING.length()).strip()));
        chromium.openPage();
        return chromium;
      }
    }
    process.destroyForcibly();
    throw new IOException("Chromium did not start: " + said);
  }

  private void openPage() throws IOException, InterruptedException {
    String target =
        call("Target.createTarget", "{\"url\":\"about:blank\"}").get("targetId").asText();
    session =
        call("Target.attachToTarget", "{\"targetId\":\"" + target + "\",\"flatten\":true}")
            .get("sessionId")
            .asText();
    for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
      call(domain + ".enable", "{}");
    }
  }

  /** Loads a file and waits until it is loaded. */
  void load(Path file) throws IOException, InterruptedException {
    events.clear();
    call("Page.navigate", mapper.createObjectNode().put("url", file.toUri().toString()).toString());
    while (events("Page.loadEventFired").isEmpty()) {
      events.add(next());
    }
  }

  /** The width of the window, in pixels of the style sheet. */
  void width(int pixels) throws IOException, InterruptedException {
    call(
        "Emulation.setDeviceMetricsOverride",
        "{\"width\":%d,\"height\":800,\"deviceScaleFactor\":1,\"mobile\":%b}"
            .formatted(pixels, pixels < 500));
  }

  /** Light or dark, on a screen or printed. */
  void medium(String medium, String scheme) throws IOException, InterruptedException {
    call(
        "Emulation.setEmulatedMedia",
        "{\"media\":\"%s\",\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"%s\"}]}"
            .formatted(medium, scheme));
  }

  /** The value of an expression. */
  JsonNode value(String expression) throws IOException, InterruptedException {
    ObjectNode parameters =
        mapper.createObjectNode().put("expression", expression).put("returnByValue", true);
    JsonNode answer = call("Runtime.evaluate", parameters.toString());
    if (answer.has("exceptionDetails")) {
      throw new IOException(answer.get("exceptionDetails").toString());
    }
    return answer.get("result").path("value");
  }

  /** Events of this kind since the page was loaded. */
  List<JsonNode> events(String method) {
    return events.stream()
        .filter(event -> event.path("method").asText().equals(method))
        .map(event -> event.get("params"))
        .toList();
  }

  /** Calls a method of the protocol. */
  JsonNode call(String method, String parameters) throws IOException, InterruptedException {
    ObjectNode message = mapper.createObjectNode().put("id", ++sent).put("method", method);
    message.set("params", mapper.readTree(parameters));
    if (!session.isEmpty()) {
      message.put("sessionId", session);
    }
    socket.sendText(message.toString(), true).join();
    while (true) {
      JsonNode answer = next();
      if (!answer.has("id")) {
        events.add(answer);
      } else if (answer.get("id").asInt() == sent) {
        if (answer.has("error")) {
          throw new IOException(method + ": " + answer.get("error"));
        }
        return answer.get("result");
      }
    }
  }

  private JsonNode next() throws IOException, InterruptedException {
    JsonNode message = messages.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (message == null) {
      throw new IOException("Chromium says nothing");
    }
    return message;
  }

  @Override
  public void close() {
    socket.abort();
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().onExit().join();
  }

  private final class Receiver implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        try {
          messages.add(mapper.readTree(text.toString()));
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
        text.setLength(0);
      }
      from.request(1);
      return null;
    }
  }
}
