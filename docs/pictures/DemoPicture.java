import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Records {@code tailwater demo} and draws it as an animated SVG, each line at the time at which it
 * was printed:
 *
 * <pre>
 * java docs/pictures/DemoPicture.java
 * </pre>
 *
 * <p>Who asked their system for less motion sees the last frame, and so does whatever does not
 * animate.
 */
final class DemoPicture {
  private static final Path PICTURE = Path.of("docs/pictures/demo.svg");
  private static final int WIDTH = 860;
  private static final int LINE_HEIGHT = 21;
  private static final int TOP = 58;
  private static final int LEFT = 24;

  /** How long the finished picture stands before it begins again. */
  private static final double REST_SECONDS = 8;

  private record Line(double atSeconds, String text, boolean isResult) {}

  private DemoPicture() {}

  public static void main(String[] arguments) throws Exception {
    List<Line> lines = record();
    Files.writeString(PICTURE, draw(lines));
    System.out.println(PICTURE + ": " + lines.size() + " lines");
  }

  private static List<Line> record() throws IOException, InterruptedException {
    Process demo =
        new ProcessBuilder("./tailwater", "demo").redirectErrorStream(true).start();
    List<Line> lines = new ArrayList<>();
    String directory = "";
    double lastSeconds = 0;
    try (BufferedReader output = reader(demo.getInputStream())) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        boolean isStep = line.matches(" *[0-9.]+ s  .*");
        if (!isStep && (line.isBlank() || line.startsWith("tailwater:"))) {
          continue; // What the launcher says of building.
        }
        int at = line.indexOf("/archive");
        if (directory.isEmpty() && at > 0) {
          directory = line.substring(line.lastIndexOf(' ', at) + 1, at);
        }
        String text = directory.isEmpty() ? line : line.replace(directory + "/", "demo/");
        if (isStep) {
          lastSeconds = Double.parseDouble(line.trim().split(" ", 2)[0]);
        }
        lines.add(new Line(lastSeconds, text, !isStep));
      }
    }
    if (demo.waitFor() != 0) {
      throw new IOException("the demo ended with " + demo.exitValue() + ": " + lines);
    }
    return lines;
  }

  private static BufferedReader reader(InputStream stream) {
    return new BufferedReader(new java.io.InputStreamReader(stream, StandardCharsets.UTF_8));
  }

  private static String draw(List<Line> lines) {
    double endSeconds = lines.getLast().atSeconds() + 1;
    double roundSeconds = endSeconds + REST_SECONDS;
    int rows = lines.size() + 1; // An empty one before the result.
    int height = TOP + rows * LINE_HEIGHT + 16;
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-labelledby="title">
            <!-- Made by docs/pictures/DemoPicture.java from a recording; do not edit. -->
            <title id="title">tailwater demo: a writer, an agent that is killed and started again, a restore that is identical</title>
            <style>
            text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #c9d1d9; white-space: pre }
            .prompt { fill: #7ee787 } .time { fill: #8b949e } .result { fill: #e6edf3; font-weight: 600 } .kill { fill: #ff7b72 }
            .yes { fill: #7ee787; font-weight: 600 }
            """,
            WIDTH, height, WIDTH, height));
    for (int i = 0; i < lines.size(); i++) {
      double percent = 100 * shownAt(lines, i) / roundSeconds;
      svg.append(
          String.format(
              Locale.ROOT,
              "@keyframes l%d { 0%%, %.2f%% { opacity: 0 } %.2f%%, 100%% { opacity: 1 } }%n"
                  + ".l%d { animation: l%d %.1fs infinite }%n",
              i, percent, percent + 0.01, i, i, roundSeconds));
    }
    svg.append(
        String.format(
            Locale.ROOT,
            """
            @media (prefers-reduced-motion: reduce) { text { animation: none !important } }
            </style>
            <rect width="%d" height="%d" rx="10" fill="#0d1117"/>
            <circle cx="22" cy="19" r="5.5" fill="#ff5f57"/><circle cx="41" cy="19" r="5.5" fill="#febc2e"/><circle cx="60" cy="19" r="5.5" fill="#28c840"/>
            <text x="%d" y="%d"><tspan class="prompt">$</tspan> ./tailwater demo</text>
            """,
            WIDTH, height, LEFT, TOP - 8));
    for (int i = 0; i < lines.size(); i++) {
      Line line = lines.get(i);
      int row = i + 1 + (line.isResult() ? 1 : 0);
      svg.append(
          String.format(
              "<text class=\"l%d%s\" x=\"%d\" y=\"%d\">%s</text>%n",
              i, line.isResult() ? " result" : "", LEFT, TOP - 8 + row * LINE_HEIGHT, marked(line)));
    }
    return svg.append("</svg>\n").toString();
  }

  /** The result comes line by line, or nobody could read it. */
  private static double shownAt(List<Line> lines, int index) {
    long before = lines.subList(0, index).stream().filter(Line::isResult).count();
    return lines.get(index).atSeconds() + (lines.get(index).isResult() ? 0.4 + 0.2 * before : 0);
  }

  private static String marked(Line line) {
    String text = line.text().replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
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
