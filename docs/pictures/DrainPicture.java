import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The timeline of a drain: the bytes at risk before and after a notice, and the phases. */
final class DrainPicture {
  private static final Path RECORDING = Pictures.RECORDINGS.resolve("drain.csv");
  private static final int WIDTH = 760;
  private static final int HEIGHT = 360;
  private static final int LEFT = 64;
  private static final int RIGHT = 24;
  private static final int TOP = 64;
  private static final int BOTTOM = 56;
  private static final long STEADY_MILLIS = 14_000;
  private static final int NOTICE_SECONDS = 12;

  /** How long the programs go on after the notice. */
  private static final int WRITING_SECONDS = 6;

  private record Sample(double atSeconds, String phase, double riskMegabytes) {}

  private DrainPicture() {}

  /** An agent that ships four files which grow by 6 MB/s together, when a notice leaves 12 s. */
  static void record() throws IOException, InterruptedException {
    List<String> rows = new ArrayList<>();
    rows.add("# tailwater ship --max-age 4s, four logs that grow by 1.5 MB/s each; a notice of");
    rows.add("# " + NOTICE_SECONDS + " s at 0; the programs end after " + WRITING_SECONDS + " s. Seconds since the notice, phase, bytes at risk.");
    try (Trial trial = new Trial()) {
      for (int i = 0; i < 4; i++) {
        trial.write("app-" + i + ".log", 1_500_000);
      }
      Path notice = trial.directory.resolve("notice");
      Process agent =
          trial.agent("--max-age", "4s", "--notices", "file:" + notice);
      while (trial.status().isEmpty()) {
        Thread.sleep(50);
      }
      Thread.sleep(5_000); // The first bytes are many, since the agent came late.
      long noticeAt = System.nanoTime() + STEADY_MILLIS * 1_000_000;
      boolean isSaid = false;
      while (agent.isAlive()) {
        if (!isSaid && System.nanoTime() >= noticeAt) {
          Files.writeString(notice, NOTICE_SECONDS + "\n");
          isSaid = true;
        }
        String status = trial.status();
        if (isSaid && System.nanoTime() >= noticeAt + WRITING_SECONDS * 1_000_000_000L) {
          trial.stopWriting();
        }
        double seconds = (System.nanoTime() - noticeAt) / 1e9;
        if (!status.isEmpty()) {
          rows.add(
              Svg.format("%.2f,%s,%s", seconds, value("phase", status), value("atRiskBytes", status)));
        }
        Thread.sleep(50);
      }
      rows.add(Svg.format("%.2f,ended with %d,", (System.nanoTime() - noticeAt) / 1e9, agent.exitValue()));
      rows.add("# " + trial.messages().lines().reduce((one, other) -> other).orElse(""));
    }
    Files.write(RECORDING, rows);
  }

  private static String value(String key, String json) {
    Matcher matcher = Pattern.compile("\"" + key + "\":\\s*\"?([^\",}]*)").matcher(json);
    return matcher.find() ? matcher.group(1) : "";
  }

  static String draw() throws IOException {
    List<Sample> samples = new ArrayList<>();
    double endSeconds = 0;
    for (String line : Files.readAllLines(RECORDING)) {
      String[] cells = line.split(",", -1);
      if (line.startsWith("#")) {
        continue;
      }
      if (cells[1].startsWith("ended")) {
        endSeconds = Double.parseDouble(cells[0]);
      } else {
        samples.add(new Sample(Double.parseDouble(cells[0]), cells[1], Double.parseDouble(cells[2]) / 1e6));
      }
    }
    double firstSeconds = Math.floor(samples.getFirst().atSeconds());
    double lastSeconds = NOTICE_SECONDS + 1;
    double most = Math.ceil(samples.stream().mapToDouble(Sample::riskMegabytes).max().orElseThrow() / 8) * 8;
    StringBuilder svg =
        new StringBuilder(
            Svg.begin(
                "recordings/drain.csv",
                "A drain: the bytes at risk fall when a notice comes, and nothing is left when the agent ends before the deadline",
                WIDTH, HEIGHT));
    svg.append(Svg.label(LEFT, 24, "start", "strong", "A notice leaves " + NOTICE_SECONDS + " s: the bytes at risk. The programs end after " + WRITING_SECONDS + " s"));
    svg.append(Svg.label(LEFT - 8, TOP - 14, "end", "soft", "MB"));
    double perSecond = (WIDTH - LEFT - RIGHT) / (lastSeconds - firstSeconds);
    double perMegabyte = (HEIGHT - TOP - BOTTOM) / most;
    double bottom = HEIGHT - BOTTOM;
    band(svg, samples, "steady", firstSeconds, perSecond, endSeconds);
    for (double value = 0; value <= most; value += most / 4) {
      double y = bottom - value * perMegabyte;
      svg.append(Svg.format("<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"var(--line)\"/>%n", LEFT, WIDTH - RIGHT, y, y));
      svg.append(Svg.label(LEFT - 8, y + 5, "end", "soft", Svg.format("%.0f", value)));
    }
    for (double seconds = Math.ceil(firstSeconds / 4) * 4; seconds <= lastSeconds; seconds += 4) {
      svg.append(Svg.label(LEFT + (seconds - firstSeconds) * perSecond, bottom + 20, "middle", "soft", Svg.format("%.0f", seconds)));
    }
    svg.append(Svg.label((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 14, "middle", "soft", "seconds since the notice"));
    mark(svg, LEFT - firstSeconds * perSecond, "notice");
    mark(svg, LEFT + (endSeconds - firstSeconds) * perSecond, "ended");
    mark(svg, LEFT + (NOTICE_SECONDS - firstSeconds) * perSecond, "");
    svg.append(Svg.label(LEFT + (NOTICE_SECONDS - firstSeconds) * perSecond + 2, bottom - 8, "start", "soft", "gone"));
    StringBuilder points = new StringBuilder();
    for (Sample sample : samples) {
      points.append(
          Svg.format("%.1f,%.1f ", LEFT + (sample.atSeconds() - firstSeconds) * perSecond, bottom - sample.riskMegabytes() * perMegabyte));
    }
    svg.append("<polyline fill=\"none\" stroke=\"var(--main)\" stroke-width=\"2\" points=\"").append(points.toString().strip()).append("\"/>\n");
    return svg.append("</svg>\n").toString();
  }

  /** One band for each phase, with its name. */
  private static void band(StringBuilder svg, List<Sample> samples, String first, double firstSeconds, double perSecond, double endSeconds) {
    String phase = first;
    double from = firstSeconds;
    for (int i = 0; i <= samples.size(); i++) {
      boolean isLast = i == samples.size();
      if (isLast || !samples.get(i).phase().equals(phase)) {
        double to = isLast ? endSeconds : samples.get(i).atSeconds();
        double x = LEFT + (from - firstSeconds) * perSecond;
        double width = (to - from) * perSecond;
        String fill = switch (phase) {
          case "steady" -> "var(--card)";
          case "hurry" -> "var(--tint)";
          default -> "var(--other)";
        };
        svg.append(Svg.format("<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n", x, TOP, width, HEIGHT - TOP - BOTTOM, fill));
        if (width > 30) {
          svg.append(Svg.label(x + width / 2, TOP + 18, "middle", "soft", phase.replace('_', ' ')));
        }
        from = to;
        phase = isLast ? phase : samples.get(i).phase();
      }
    }
  }

  private static void mark(StringBuilder svg, double x, String name) {
    svg.append(Svg.format("<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"var(--warm)\" stroke-width=\"1.5\" stroke-dasharray=\"4 3\"/>%n", x, x, TOP - 6, HEIGHT - BOTTOM));
    if (!name.isEmpty()) {
      svg.append(Svg.label(x, TOP - 12, "middle", "soft", name));
    }
  }
}
