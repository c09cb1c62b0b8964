package dev.tailwater.cli.command.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.cli.report.JsonText;
import dev.tailwater.posix.PosixPath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class FileAnswersTest {
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(written, true, UTF_8);

  private static FileQueries.Answer answer(String path, String fields) throws IOException {
    return new FileQueries.Answer(
        PosixPath.of(path), JsonText.parse("{\"path\":\"" + path + "\"," + fields + "}"));
  }

  private List<String> lines() {
    return written.toString(UTF_8).lines().toList();
  }

  @Test
  void destinationsAreListedOnlyForAFileThatOneOfThemLacks() throws IOException {
    FileAnswers.print(
        List.of(
            answer(
                "/logs/a.log",
                """
                "delivered":true,"sizeBytes":10,"durableBytes":10,"destinations":[
                  {"name":"/one","required":true,"durableBytes":10},
                  {"name":"/two","required":false,"durableBytes":10}]
                """),
            answer(
                "/logs/b.log",
                """
                "delivered":true,"sizeBytes":10,"durableBytes":10,"destinations":[
                  {"name":"/one","required":true,"durableBytes":10},
                  {"name":"/two","required":false,"durableBytes":4}]
                """)),
        out);
    assertEquals(
        List.of(
            "DELIVERED  SIZE  DURABLE  FILE",
            "yes          10       10  /logs/a.log",
            "yes          10       10  /logs/b.log",
            "",
            "/logs/b.log:",
            "DURABLE               DESTINATION",
            "     10  required     /one",
            "      4  best effort  /two"),
        lines());
  }

  @Test
  void jsonHasTheAnswersAsTheyAre() throws IOException {
    FileAnswers.write(List.of(answer("/logs/a.log", "\"delivered\":false")), out);
    JsonText file = JsonText.parse(written.toString(UTF_8)).objects("files").getFirst();
    assertEquals("/logs/a.log", file.text("path"));
    assertEquals(false, file.isTrue("delivered"));
  }
}
