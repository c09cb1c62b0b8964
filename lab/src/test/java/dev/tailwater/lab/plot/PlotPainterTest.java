package dev.tailwater.lab.plot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.lab.Samples;
import dev.tailwater.lab.report.ReportPage;
import dev.tailwater.lab.result.ExperimentResult;
import dev.tailwater.lab.result.Interval;
import dev.tailwater.lab.result.Plot;
import dev.tailwater.lab.result.Quantity;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlotPainterTest {
  @TempDir private Path directory;

  private static PlotData data(ExperimentResult experiment) {
    Plot plot = experiment.plots().getFirst();
    return PlotData.of(plot, experiment.tableOf(plot));
  }

  private static String svg(PlotData data, String id) throws IOException {
    assumeTrue(Fonts.missing().isEmpty(), () -> Fonts.missing().orElse(""));
    return PlotPainter.svg(data, id, PlotSize.PAGE);
  }

  private static PlotData bars(String name, double... values) {
    return bars(name, true, values);
  }

  private static PlotData bars(String name, boolean logarithmic, double... values) {
    List<ResultTable.Row> rows = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      rows.add(
          new ResultTable.Row(
              List.of(name + i),
              List.of(Optional.of(Series.of(values[i]))),
              List.of(OptionalDouble.empty())));
    }
    ResultTable table =
        new ResultTable("t", List.of("way"), List.of(Quantity.less("time", "ms")), rows);
    return PlotData.of(
        new Plot("p", "t", "time", "way", "", Map.of(), Plot.Shape.BARS, logarithmic), table);
  }

  @Test
  void readsLinesPointsAndTheArticlesFiguresFromTheTable() {
    PlotData data = data(Samples.measured("x", 1));
    assertEquals(List.of("4 KiB", "6 KiB", "8 KiB"), data.categories());
    assertEquals(List.of("cold", "warm"), data.lines().stream().map(PlotData.Line::name).toList());
    PlotData.Point point = data.lines().getFirst().points().get(1);
    assertEquals(1, point.category());
    assertEquals(Optional.of(new Interval(1646, 1646)), point.article());
    assertTrue(point.interval().low() < point.median());
    assertTrue(data.hasArticle());
    assertEquals(3, Legend.of(data).size());
  }

  @Test
  void textStaysTextAndColoursAreThoseOfThePage() throws IOException {
    String svg = svg(data(Samples.measured("x", 1)), "p1");
    assertTrue(svg.contains(">4 KiB</text>"), svg);
    assertTrue(svg.contains(">1,000</text>"), svg);
    assertTrue(svg.contains("var(--plot-1)") && svg.contains("var(--plot-2)"), svg);
    assertFalse(svg.contains("rgb(3,7"), svg);
    assertFalse(svg.contains("font-family"), svg);
    assertFalse(svg.contains("NaN"), svg);
    assertTrue(svg.startsWith("<svg"), svg);
    assertTrue(svg.contains("role=\"img\"") && svg.contains("<desc id=\"p1-description\""), svg);
  }

  @Test
  void twoPlotsOnAPageHaveNoNameInCommon() throws IOException {
    Set<String> ids = new HashSet<>();
    for (String svg :
        List.of(
            svg(data(Samples.measured("x", 1)), "p1"), svg(data(Samples.measured("y", 2)), "p2"))) {
      Matcher id = Pattern.compile("\\sid=\"([^\"]*)\"").matcher(svg);
      while (id.find()) {
        assertTrue(ids.add(id.group(1)), "twice: " + id.group(1));
      }
      Matcher use = Pattern.compile("url\\(#([^)]*)\\)").matcher(svg);
      while (use.find()) {
        assertTrue(ids.contains(use.group(1)), "unknown: " + use.group(1));
      }
    }
  }

  @Test
  void hostileNamesAreTextAndTheSvgIsWellFormed() throws Exception {
    String svg = svg(bars(Samples.HOSTILE + "\u0000\u0007", 1, 20), "p");
    assertFalse(svg.contains("<script"), svg);
    DocumentBuilderFactory.newNSInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void aLogarithmicAxisHasNoPlaceForZeroAndStillShowsTheRest() throws IOException {
    PlotData data = bars("a", 0, 5, 5000);
    assertEquals(2, data.lines().getFirst().points().size());
    assertFalse(svg(data, "p").contains("NaN"));
    assertTrue(bars("a", 0, 0).lines().isEmpty(), "nothing to be seen");
  }

  @Test
  void extremeFiguresCanBeDrawn() throws IOException {
    for (double[] values :
        new double[][] {{1e-300, 1}, {1e300, 1}, {1e-12, 1e18}, {1e-12}, {1e18}, {0}}) {
      for (boolean logarithmic : new boolean[] {true, false}) {
        PlotData data = bars("a", logarithmic, values);
        assertTrue(data.lines().isEmpty() || !svg(data, "p").contains("NaN"));
      }
    }
  }

  @Test
  void saysWhatIsMissingOnAHostWithoutFonts() throws Exception {
    // In a mount namespace of its own, in which the directory of fonts is empty.
    String hide = "mount -t tmpfs none /usr/share/fonts";
    assumeTrue(
        new ProcessBuilder("unshare", "-rm", "sh", "-c", hide).start().waitFor() == 0,
        "needs user namespaces and /usr/share/fonts");
    Path none = Files.writeString(directory.resolve("fonts.conf"), "<fontconfig></fontconfig>");
    ProcessBuilder builder =
        new ProcessBuilder(
            "unshare",
            "-rm",
            "sh",
            "-c",
            hide + " && exec \"$@\"",
            "sh",
            ProcessHandle.current().info().command().orElseThrow(),
            "-Djava.awt.headless=true",
            "-cp",
            System.getProperty("java.class.path"),
            NoFonts.class.getName());
    builder.environment().put("FONTCONFIG_FILE", none.toString());
    Process process = builder.redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    assertTrue(out.contains("There are no plots, since Java finds no fonts"), out);
    assertTrue(out.contains("apt-get install fontconfig fonts-dejavu-core"), out);
    assertTrue(out.contains("a page of "), out);
  }

  /** A process without fonts, which makes a report all the same. */
  static final class NoFonts {
    private NoFonts() {}

    public static void main(String[] args) throws IOException {
      System.out.println(Fonts.missing().orElse("there are fonts"));
      String page = ReportPage.html(Samples.result());
      System.out.println("a page of " + page.length() + " characters");
    }
  }
}
