import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** {@code tailwater status} of an agent at work. */
final class StatusPicture {
  private static final Path RECORDING = Pictures.RECORDINGS.resolve("status.txt");

  private StatusPicture() {}

  static void record() throws IOException, InterruptedException {
    try (Trial trial = new Trial()) {
      trial.write("access.log", 900_000);
      trial.write("error.log", 70_000);
      Files.createDirectories(trial.directory.resolve("log/orders"));
      trial.write("orders/audit.log", 250_000);
      trial.agent("--max-age", "1s", "--max-at-risk", "64MiB,5s", "--notices", "off");
      while (trial.status().isEmpty()) {
        Thread.sleep(50);
      }
      Thread.sleep(12_000);
      Process status =
          new ProcessBuilder(Path.of("tailwater").toAbsolutePath().toString(), "status", "--state", "state")
              .directory(trial.directory.toFile())
              .start();
      String text = new String(status.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      text = text.replace(trial.directory.toString(), "/var").replaceAll("(?m)^neighbour.*\n(?: +.*\n)*", "");
      Files.writeString(RECORDING, text.replaceAll("\\(process \\d+\\)", "(process 812)"));
    }
  }

  static String draw() throws IOException {
    List<String> lines = Files.readAllLines(RECORDING);
    StringBuilder svg =
        new StringBuilder(
            Terminal.begin(
                "recordings/status.txt",
                "tailwater status: what is at risk now, whether the bound was kept, and which files are not delivered to their end",
                Terminal.width(lines), lines.size(), "", "tailwater status"));
    for (int i = 0; i < lines.size(); i++) {
      svg.append(Terminal.line(i + 1, "", marked(lines.get(i))));
    }
    return svg.append("</svg>\n").toString();
  }

  private static String marked(String line) {
    String text = Svg.text(line);
    if (text.startsWith("at risk")) {
      return "<tspan class=\"result\">" + text + "</tspan>";
    }
    return text.replaceFirst("always kept", "<tspan class=\"yes\">always kept</tspan>")
        .replaceFirst("^([a-z][a-z ]*?)(  +)", "<tspan class=\"time\">$1</tspan>$2");
  }
}
