package dev.tailwater.lab.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.lab.plot.Fonts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The report in docs/lab/example is what the figures beside it give. */
class ExampleReportTest {
  private static final Path EXAMPLE = Path.of("..", "docs", "lab", "example");

  @Test
  void theExampleIsDrawnFromItsFigures() throws IOException {
    Path figures = EXAMPLE.resolve("lab.json");
    Path report = EXAMPLE.resolve("report.html");
    assumeTrue(Files.exists(figures) || Files.exists(report), "there is no example");
    assumeTrue(Fonts.missing().isEmpty(), () -> Fonts.missing().orElse(""));
    String page = ReportPage.html(ResultFile.read(figures));
    if ("write".equals(System.getProperty("tailwater.lab.example"))) {
      Files.writeString(report, page);
    }
    assertEquals(
        withoutPlots(page).lines().toList(),
        withoutPlots(Files.readString(report)).lines().toList());
    assertFalse(page.contains("There are no plots"), page);
  }

  /** Where letters stand in a plot depends on the fonts of the host that drew it. */
  private static String withoutPlots(String page) {
    return page.replaceAll("(?s)<svg.*?</svg>", "<svg/>");
  }
}
