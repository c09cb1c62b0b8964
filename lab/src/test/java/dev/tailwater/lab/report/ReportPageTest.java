package dev.tailwater.lab.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.lab.Samples;
import dev.tailwater.lab.result.HostFacts;
import dev.tailwater.lab.result.LabResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportPageTest {
  @TempDir private Path directory;

  @Test
  void showsExperimentsInTheirOrderAndThenWhatWasNotMeasuredAndSettings() throws IOException {
    String page = ReportPage.html(Samples.result());
    int last = 0;
    for (String text :
        new String[] {
          "<section class=\"card\" id=\"write-size\">",
          "Which chunk size does &lt;this&gt; file system want?",
          "<figure class=\"lead\">",
          "8 KiB takes 0.05 of the time of 6 KiB.",
          "Why 4 KB / 8 KB write buffers",
          "<details>",
          "4 KiB and 8 KiB cannot be told apart.",
          "<section class=\"card\" id=\"read-path\">",
          "Not measured",
          "<dt id=\"destination\">",
          "no --destination was given",
          "<dt id=\"copy\">",
          "segment_size: 4MiB",
          "fs.inotify.max_user_watches",
          "Linux 6.18.5"
        }) {
      int at = page.indexOf(text, last);
      assertTrue(at > last, text);
      last = at;
    }
  }

  @Test
  void beginsWithWhatMakesTheFiguresDoubtful() throws IOException {
    LabResult quiet = Samples.result();
    String page = ReportPage.html(quiet);
    String top = page.substring(page.indexOf("<main>"), page.indexOf("<figure"));
    assertTrue(top.contains("write-size (2 of 5 rounds)"), top);
    assertTrue(top.contains("<b>Failed</b>: copy."), top);
    assertFalse(page.contains("tentative"), "it was quiet");
    HostFacts busy =
        new HostFacts(List.of(new HostFacts.Fact(HostFacts.BUSY, "load average 26.0")));
    LabResult other =
        new LabResult(
            quiet.format(),
            quiet.version(),
            quiet.startedAt(),
            quiet.effort(),
            busy,
            quiet.experiments());
    String doubtful = ReportPage.html(other);
    assertTrue(
        doubtful.indexOf("This machine was busy</b>: load average 26.0")
            < doubtful.indexOf("<figure"),
        doubtful);
    assertTrue(doubtful.contains("Settings <span class=\"mark noisy\">tentative</span>"), doubtful);
  }

  @Test
  void showsMediansIntervalsAndTheArticlesFigures() throws IOException {
    String page = ReportPage.html(Samples.result());
    assertTrue(page.contains(">1,662<span class=\"i\">1,531 – 2,140</span>"), page);
    assertTrue(page.contains("<td class=\"n a\">1,646</td>"), page);
    assertTrue(page.contains(">32,768<"), page);
    assertTrue(page.contains("Medians of 6 samples"), page);
  }

  @Test
  void obeysNothingThatIsInTheData() throws IOException {
    String page = ReportPage.html(Samples.result());
    assertFalse(page.contains("<script"), "no script at all");
    assertFalse(page.contains("<img"), "no element of the data's");
    assertTrue(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), page);
    assertFalse(page.matches("(?s).*(src|href)=\"?(https?:)?//.*"), "nothing from elsewhere");
  }

  @Test
  void isKnownAsAReportAndOtherFilesAreNot() throws IOException {
    Path report = Files.writeString(directory.resolve("a.html"), ReportPage.html(Samples.result()));
    assertTrue(ReportPage.isReport(report));
    Path other = Files.writeString(directory.resolve("b.html"), "<!DOCTYPE html><p>tailwater lab");
    assertFalse(ReportPage.isReport(other));
    assertFalse(ReportPage.isReport(Files.write(directory.resolve("c"), new byte[] {-1, 0, 7})));
  }

  @Test
  void isTheSameForTheSameResult() throws IOException {
    assertEquals(ReportPage.html(Samples.result()), ReportPage.html(Samples.result()));
  }
}
