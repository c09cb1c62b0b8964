import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One plot of the example of a lab's report, as a picture of its own with its legend. */
final class LabPicture {
  private static final Path REPORT = Path.of("docs/lab/example/report.html");
  private static final String CAPTION = "Throughput by chunk, overwrite, cold; loop: ext4, 4 KiB blocks";
  private static final Pattern VIEW = Pattern.compile("viewBox=\"0 0 (\\d+) (\\d+)\"");
  private static final Pattern ENTRY = Pattern.compile("<b class=\"c(\\d)\"[^>]*>(.)</b> ([^<]*)<");
  private static final Pattern COLOUR = Pattern.compile("--(?:plot-\\d|ink|soft|line|card): #[0-9a-f]+;");
  private static final int TOP = 52;

  private LabPicture() {}

  static String draw() throws IOException {
    String page = Files.readString(REPORT);
    int caption = page.indexOf("<figcaption>" + CAPTION);
    if (caption < 0) {
      throw new IOException(REPORT + " has no plot '" + CAPTION + "'");
    }
    String unit = between("<span>", "</span>", page.substring(caption));
    String legend = between("<ul class=\"legend\">", "</ul>", page.substring(caption));
    String plot = page.substring(page.indexOf("<svg", caption), page.indexOf("</svg>", caption));
    Matcher view = VIEW.matcher(plot);
    if (!view.find()) {
      throw new IOException("the plot has no size");
    }
    int width = Integer.parseInt(view.group(1));
    List<String> entries = new ArrayList<>();
    Matcher entry = ENTRY.matcher(legend);
    while (entry.find()) {
      String colour = entry.group(1).equals("0") ? "ink" : "plot-" + entry.group(1);
      entries.add("<tspan fill=\"var(--" + colour + ")\">" + entry.group(2) + "</tspan> " + entry.group(3));
    }
    int plotHeight = Integer.parseInt(view.group(2));
    int height = TOP + plotHeight + 20 * ((entries.size() + 1) / 2) + 16;
    StringBuilder svg = new StringBuilder(Svg.begin("the report in docs/lab/example", CAPTION + ": " + unit, width, height));
    svg.append("<style>svg { ").append(colours(page.substring(0, page.indexOf("prefers-color-scheme"))))
        .append("}\n@media (prefers-color-scheme: dark) { svg { ")
        .append(colours(between("prefers-color-scheme", "\n}", page)))
        .append("} }\n</style>\n");
    svg.append(Svg.label(16, 24, "start", "strong", CAPTION));
    svg.append("<text x=\"16\" y=\"43\" class=\"soft\">").append(unit).append("</text>\n");
    svg.append("<g transform=\"translate(0 ").append(TOP).append(")\">")
        .append(plot.substring(plot.indexOf("<defs/>") + "<defs/>".length()))
        .append("</g>\n");
    for (int i = 0; i < entries.size(); i++) {
      svg.append("<text x=\"").append(16 + i % 2 * width / 2).append("\" y=\"").append(TOP + plotHeight + 16 + 20 * (i / 2))
          .append("\" class=\"soft\">").append(entries.get(i)).append("</text>\n");
    }
    return svg.append("</svg>\n").toString();
  }

  private static String between(String begin, String end, String text) {
    int from = text.indexOf(begin) + begin.length();
    return text.substring(from, text.indexOf(end, from));
  }

  private static String colours(String style) {
    StringBuilder colours = new StringBuilder();
    Matcher colour = COLOUR.matcher(style);
    while (colour.find()) {
      colours.append(colour.group()).append(' ');
    }
    return colours.toString();
  }
}
