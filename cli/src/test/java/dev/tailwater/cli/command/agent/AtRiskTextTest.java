package dev.tailwater.cli.command.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.cli.report.JsonText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class AtRiskTextTest {
  private static String inWords(String json) throws IOException {
    return AtRiskText.inWords(JsonText.parse(json));
  }

  private static List<String> files(String json) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    AtRiskText.printFiles(JsonText.parse(json), new PrintStream(out, true, UTF_8));
    return out.toString(UTF_8).lines().toList();
  }

  @Test
  void nothingIsAtRisk() throws IOException {
    assertEquals("nothing", inWords("{\"running\":true,\"atRiskBytes\":0}"));
  }

  @Test
  void aStateThatWasLeftKnowsOnlyItsOwnFiles() throws IOException {
    assertEquals("nothing of these files", inWords("{\"running\":false,\"atRiskBytes\":0}"));
    assertEquals("2.0 KiB", inWords("{\"running\":false,\"atRiskBytes\":2048}"));
  }

  @Test
  void whatTheAgentDoesNotLookAtIsAtRiskToo() throws IOException {
    assertEquals(
        "2.0 KiB, the oldest for 1.5 s"
            + ", and 7 files that wait to be opened, with whatever is written to them"
            + " (2 owners: 4 of user 12, 3 of user 0)"
            + ", and files that are not looked for until then"
            + ", and 1 file or directory that could not be opened, with whatever is in them"
            + ", and whatever was written in the last 1 s, in which no source was looked at",
        inWords(
            """
            {"running":true,"atRiskBytes":2048,"oldestAtRiskMillis":1500,
             "watching":{"waitingFiles":7,"waitingOwners":2,
               "mostWaitingOwners":[{"files":4,"userId":12},{"files":3,"userId":0}],
               "searchWaits":true,"unopenedFiles":1,"unseenMillis":20}}
            """));
  }

  @Test
  void filesThatWereNotLookedAtYetSinceTheStartAreAtRiskToo() throws IOException {
    assertEquals(
        "whatever is in files that were not looked at yet since the start",
        inWords("{\"running\":true,\"watching\":{\"searching\":true,\"searchWaits\":false}}"));
    assertEquals(
        "files that are not looked for until then",
        inWords("{\"running\":true,\"watching\":{\"searching\":true,\"searchWaits\":true}}"));
  }

  @Test
  void oneOwnerOfWaitingFilesIsNotNamed() throws IOException {
    assertEquals(
        "7 files that wait to be opened, with whatever is written to them",
        inWords("{\"running\":true,\"watching\":{\"waitingFiles\":7,\"waitingOwners\":1}}"));
  }

  @Test
  void filesAreListedAndTheOthersCounted() throws IOException {
    assertEquals(
        List.of("", "AT RISK     SIZE  FILE", "1.0 KiB  4.0 KiB  /logs/a.log", "and 1 more file"),
        files(
            """
            {"atRisk":[{"path":"/logs/a.log","sizeBytes":4096,"durableBytes":3072}],
             "atRiskFiles":2}
            """));
    assertEquals(List.of(), files("{\"atRisk\":[],\"atRiskFiles\":0}"));
  }
}
