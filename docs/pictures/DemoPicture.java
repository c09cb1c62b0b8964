import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * {@code tailwater demo} as an animated SVG, each line at the time at which it was printed. Who asked
 * their system for less motion sees the last frame, and so does whatever does not animate.
 */
final class DemoPicture {
  private static final Path RECORDING = Pictures.RECORDINGS.resolve("demo.txt");
  private static final int WIDTH = 860;

  /** How long the finished picture stands before it begins again. */
  private static final double REST_SECONDS = 8;

  private record Line(double atSeconds, String text, boolean isResult) {}

  private DemoPicture() {}

  /** Writes the output of a demo, with its directory named {@code demo}. */
  static void record() throws IOException, InterruptedException {
    Process demo = new ProcessBuilder("./tailwater", "demo").redirectErrorStream(true).start();
    List<String> lines = new ArrayList<>();
    String directory = "";
    try (BufferedReader output = reader(demo.getInputStream())) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (!isStep(line) && (line.isBlank() || line.startsWith("tailwater:"))) {
          continue; // What the launcher says of building.
        }
        int at = line.indexOf("/archive");
        if (directory.isEmpty() && at > 0) {
          directory = line.substring(line.lastIndexOf(' ', at) + 1, at);
        }
        lines.add(directory.isEmpty() ? line : line.replace(directory + "/", "demo/"));
      }
    }
    if (demo.waitFor() != 0) {
      throw new IOException("the demo ended with " + demo.exitValue() + ": " + lines);
    }
    Files.write(RECORDING, lines);
  }

  private static BufferedReader reader(InputStream stream) {
    return new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
  }

  private static boolean isStep(String line) {
    return line.matches(" *[0-9.]+ s  .*");
  }

  private static List<Line> lines() throws IOException {
    List<Line> lines = new ArrayList<>();
    double lastSeconds = 0;
    for (String text : Files.readAllLines(RECORDING)) {
      if (isStep(text)) {
        lastSeconds = Double.parseDouble(text.trim().split(" ", 2)[0]);
      }
      lines.add(new Line(lastSeconds, text, !isStep(text)));
    }
    return lines;
  }

  static String draw() throws IOException {
    List<Line> lines = lines();
    double endSeconds = lines.getLast().atSeconds() + 1;
    double roundSeconds = endSeconds + REST_SECONDS;
    StringBuilder style = new StringBuilder();
    for (int i = 0; i < lines.size(); i++) {
      double percent = 100 * shownAt(lines, i) / roundSeconds;
      style.append(
          String.format(
              Locale.ROOT,
              "@keyframes l%d { 0%%, %.2f%% { opacity: 0 } %.2f%%, 100%% { opacity: 1 } }%n"
                  + ".l%d { animation: l%d %.1fs infinite }%n",
              i, percent, percent + 0.01, i, i, roundSeconds));
    }
    style.append("@media (prefers-reduced-motion: reduce) { text { animation: none !important } }\n");
    int rows = lines.size() + 1; // An empty one before the result.
    StringBuilder svg =
        new StringBuilder(
            Terminal.begin(
                "recordings/demo.txt",
                "tailwater demo: a writer, an agent that is killed and started again, a restore that is identical",
                WIDTH, rows, style.toString(), "./tailwater demo"));
    for (int i = 0; i < lines.size(); i++) {
      Line line = lines.get(i);
      int row = i + 1 + (line.isResult() ? 1 : 0);
      svg.append(Terminal.line(row, "l" + i + (line.isResult() ? " result" : ""), marked(line)));
    }
    return svg.append("</svg>\n").toString();
  }

  /** The result comes line by line, or nobody could read it. */
  private static double shownAt(List<Line> lines, int index) {
    long before = lines.subList(0, index).stream().filter(Line::isResult).count();
    return lines.get(index).atSeconds() + (lines.get(index).isResult() ? 0.4 + 0.2 * before : 0);
  }

  private static String marked(Line line) {
    String text = Svg.text(line.text());
    if (!line.isResult()) {
      int at = text.indexOf(" s  ") + 4;
      String said = text.substring(at);
      String shown = said.contains("SIGKILL") ? "<tspan class=\"kill\">" + said + "</tspan>" : said;
      return "<tspan class=\"time\">" + text.substring(0, at) + "</tspan>" + shown;
    }
    return text.startsWith("identical")
        ? text.replaceFirst("yes.*", "<tspan class=\"yes\">$0</tspan>")
        : text;
  }
}
