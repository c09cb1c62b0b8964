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
        int plots = page.equals(report) ? 4 : 2; // two in cards, and as many in what is folded
        chromium.value("document.querySelectorAll('details').forEach(d => d.open = true)");
        showsItsPlots(chromium, plots);
        isWithinTheWindow(chromium, 1100);
        chromium.width(360);
        isWithinTheWindow(chromium, 360);
        showsItsPlots(chromium, plots);
        changesInTheDark(chromium);
        canBePrinted(chromium);
      }
    }
  }

  @Test
  void theFirstScreenShowsPlotsAndTheRestIsFolded() throws IOException, InterruptedException {
    Optional<Path> program = Chromium.program();
    assumeTrue(program.isPresent(), "needs Chromium (Debian: apt-get install chromium)");
    assumeTrue(Fonts.missing().isEmpty(), () -> Fonts.missing().orElse(""));
    Path figures = Path.of("..", "docs", "lab", "example", "lab.json");
    String html = ReportPage.html(ResultFile.read(figures));
    Path report = Files.writeString(directory.resolve("example.html"), html);
    try (Chromium chromium =
        Chromium.start(program.get(), Files.createDirectory(directory.resolve("profile")))) {
      chromium.medium("screen", "light");
      chromium.width(1280);
      chromium.load(report);
      asksForNothingAndComplainsOfNothing(chromium, report);
      assertEquals(800, chromium.value("innerHeight").asInt());
      assertEquals(2, plotsOnTheFirstScreen(chromium), "two cards beside each other");
      assertEquals(0, chromium.value("document.querySelectorAll('details[open]').length").asInt());
      JsonNode unfolded =
          chromium.value(
              "[...document.querySelectorAll('details table, details .findings')]"
                  + ".filter(e => e.checkVisibility()).length");
      assertEquals(0, unfolded.asInt());
      hasAVerdictAndATextForEachPlot(chromium);
      isWithinTheWindow(chromium, 1280);
      chromium.width(375);
      isWithinTheWindow(chromium, 375);
      assertEquals(0, plotsThatNeedScrolling(chromium));
      chromium.value("document.querySelectorAll('details').forEach(d => d.open = true)");
      isWithinTheWindow(chromium, 375);
    }
  }

  private static int plotsOnTheFirstScreen(Chromium chromium)
      throws IOException, InterruptedException {
    return chromium
        .value(
            """
            [...document.querySelectorAll('.lead svg')].filter(svg => svg.checkVisibility())
              .filter(svg => svg.getBoundingClientRect().bottom <= innerHeight).length\
            """)
        .asInt();
  }

  private static int plotsThatNeedScrolling(Chromium chromium)
      throws IOException, InterruptedException {
    return chromium
        .value(
            """
            [...document.querySelectorAll('.lead .plot')].filter(plot => plot.checkVisibility())
              .filter(plot => plot.scrollWidth > plot.clientWidth).length\
            """)
        .asInt();
  }

  private static void hasAVerdictAndATextForEachPlot(Chromium chromium)
      throws IOException, InterruptedException {
    int cards = chromium.value("document.querySelectorAll('.card').length").asInt();
    assertEquals(11, cards);
    for (String what :
        List.of(
            ".card > .verdict > .mark",
            ".lead .wide > svg[role=img] > title",
            ".lead .wide > svg[role=img] > desc",
            ".lead .narrow > svg[role=img] > desc")) {
      assertEquals(
          cards, chromium.value("document.querySelectorAll('" + what + "').length").asInt(), what);
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

  private static void showsItsPlots(Chromium chromium, int count)
      throws IOException, InterruptedException {
    JsonNode plots =
        chromium.value(
            """
            [...document.querySelectorAll('.plot > svg')].filter(svg => svg.checkVisibility()).map(svg => {
              const box = svg.getBoundingClientRect();
              return { width: box.width, height: box.height,
                texts: svg.querySelectorAll('text').length,
                textHeight: svg.querySelector('text').getBoundingClientRect().height,
                drawn: [...svg.querySelectorAll('path, rect, line, circle, polygon')]
                  .filter(e => !e.closest('defs')).length };
            })\
            """);
    assertEquals(count, plots.size());
    for (JsonNode plot : plots) {
      assertTrue(plot.get("width").asDouble() > 290, plot.toString());
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
