package dev.tailwater.lab.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tailwater.lab.Samples;
import dev.tailwater.lab.compare.LabComparison;
import dev.tailwater.lab.compare.Names;
import dev.tailwater.lab.plot.Fonts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages in a real browser, as it lays them out. */
class ReportInChromiumTest {
  @TempDir private Path directory;

  @Test
  void pagesCanBeReadInARealBrowser() throws IOException, InterruptedException {
    Optional<Path> program = Chromium.program();
    assumeTrue(program.isPresent(), "needs Chromium (Debian: apt-get install chromium)");
    assumeTrue(Fonts.missing().isEmpty(), () -> Fonts.missing().orElse(""));
    Path report = Files.writeString(directory.resolve("r.html"), ReportPage.html(Samples.result()));
    LabComparison comparison =
        LabComparison.of(Samples.result(), Samples.result(), new Names("a.json", "b.json"));
    Path compared = Files.writeString(directory.resolve("c.html"), ComparePage.html(comparison));
    try (Chromium chromium =
        Chromium.start(program.get(), Files.createDirectory(directory.resolve("profile")))) {
      for (Path page : List.of(report, compared)) {
        chromium.medium("screen", "light");
        chromium.width(1100);
        chromium.load(page);
        asksForNothingAndComplainsOfNothing(chromium, page);
        showsItsPlots(chromium);
        isWithinTheWindow(chromium, 1100);
        chromium.width(360);
        isWithinTheWindow(chromium, 360);
        showsItsPlots(chromium);
        changesInTheDark(chromium);
        canBePrinted(chromium);
      }
    }
  }

  private static void asksForNothingAndComplainsOfNothing(Chromium chromium, Path page) {
    List<String> requests =
        chromium.events("Network.requestWillBeSent").stream()
            .map(event -> event.path("request").path("url").asText())
            .filter(url -> !url.startsWith("data:"))
            .toList();
    assertEquals(List.of(page.toUri().toString()), requests);
    assertEquals(List.of(), chromium.events("Log.entryAdded"));
    assertEquals(List.of(), chromium.events("Runtime.consoleAPICalled"));
    assertEquals(List.of(), chromium.events("Runtime.exceptionThrown"));
  }

  private static void showsItsPlots(Chromium chromium) throws IOException, InterruptedException {
    JsonNode plots =
        chromium.value(
            """
            [...document.querySelectorAll('.plot > svg')].map(svg => {
              const box = svg.getBoundingClientRect();
              return { width: box.width, height: box.height,
                texts: svg.querySelectorAll('text').length,
                textHeight: svg.querySelector('text').getBoundingClientRect().height,
                drawn: [...svg.querySelectorAll('path, rect, line, circle, polygon')]
                  .filter(e => !e.closest('defs')).length };
            })\
            """);
    assertEquals(2, plots.size());
    for (JsonNode plot : plots) {
      assertTrue(plot.get("width").asDouble() > 300, plot.toString());
      assertTrue(plot.get("height").asDouble() > 80, plot.toString());
      assertTrue(plot.get("texts").asInt() > 5, plot.toString());
      assertTrue(plot.get("textHeight").asDouble() > 8, plot.toString());
      assertTrue(plot.get("drawn").asInt() > 8, plot.toString());
    }
  }

  /** What is wider than the window is in something that can be scrolled by itself. */
  private static void isWithinTheWindow(Chromium chromium, int width)
      throws IOException, InterruptedException {
    assertEquals(width, chromium.value("innerWidth").asInt());
    // Less by the scroll bar, where there is one.
    int needed = chromium.value("document.documentElement.scrollWidth").asInt();
    assertTrue(needed <= width, needed + " of " + width);
    JsonNode outside =
        chromium.value(
            """
            [...document.querySelectorAll('body *')]
              .filter(e => !e.closest('.scroll, .plot'))
              .filter(e => e.getBoundingClientRect().right > innerWidth + 0.5)
              .map(e => e.tagName + ' ' + e.className + ' ' + e.textContent.slice(0, 60))\
            """);
    assertEquals(0, outside.size(), outside.toString());
  }

  private static void changesInTheDark(Chromium chromium) throws IOException, InterruptedException {
    chromium.medium("screen", "light");
    List<String> light = colours(chromium);
    chromium.medium("screen", "dark");
    List<String> dark = colours(chromium);
    for (int i = 0; i < light.size(); i++) {
      assertNotEquals(light.get(i), dark.get(i));
    }
  }

  /** Of the page, of text, of a card, of text in a plot, of a bar or line in it. */
  private static List<String> colours(Chromium chromium) throws IOException, InterruptedException {
    JsonNode colours =
        chromium.value(
            """
            (() => {
              const of = (selector, name) =>
                getComputedStyle(document.querySelector(selector))[name];
              return [of('body', 'backgroundColor'), of('body', 'color'),
                of('section', 'backgroundColor'), of('.plot svg text', 'fill'),
                of('.plot svg [stroke^="var(--plot-1)"]', 'stroke')];
            })()\
            """);
    List<String> texts =
        StreamSupport.stream(colours.spliterator(), false).map(JsonNode::asText).toList();
    assertEquals(5, texts.stream().distinct().count(), "all differ: " + texts);
    assertTrue(texts.stream().allMatch(text -> text.startsWith("rgb")), texts.toString());
    return texts;
  }

  private static void canBePrinted(Chromium chromium) throws IOException, InterruptedException {
    chromium.medium("print", "dark");
    assertEquals(
        "rgb(255, 255, 255)",
        chromium.value("getComputedStyle(document.body).backgroundColor").asText(),
        "paper is white");
    JsonNode printed = chromium.call("Page.printToPDF", "{\"printBackground\":false}");
    byte[] pdf = Base64.getDecoder().decode(printed.get("data").asText());
    assertEquals("%PDF", new String(pdf, 0, 4, StandardCharsets.US_ASCII));
    assertTrue(pdf.length > 10_000, pdf.length + " bytes");
  }
}
