package dev.tailwater.lab.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.lab.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportPageTest {
  @TempDir private Path directory;

  @Test
  void showsSettingsBeforeExperimentsAndExperimentsInTheirOrder() throws IOException {
    String page = ReportPage.html(Samples.result());
    int last = 0;
    for (String text :
        new String[] {
          "segment_size: 4MiB",
          "fs.inotify.max_user_watches",
          "Linux 6.18.5",
          "<section id=\"write-size\">",
          "Which chunk size does &lt;this&gt; file system want?",
          "<section id=\"read-path\">",
          "<section id=\"destination\">",
          "no --destination was given",
          "<section id=\"copy\">"
        }) {
      int at = page.indexOf(text, last);
      assertTrue(at > last, text);
      last = at;
    }
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
