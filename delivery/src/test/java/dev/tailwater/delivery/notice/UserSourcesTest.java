package dev.tailwater.delivery.notice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import dev.tailwater.delivery.command.UserCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What users say themselves: by a file, an endpoint, a command. */
class UserSourcesTest {
  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
  private static final InstantSource CLOCK = InstantSource.fixed(NOW);
  private static final Duration USUAL = Duration.ofSeconds(25);

  @TempDir private Path directory;

  private Notice file(String content) throws IOException {
    return file(content, NOW.minusSeconds(1));
  }

  private Notice file(String content, Instant written) throws IOException {
    Path file = Files.writeString(directory.resolve("down"), content);
    Files.setLastModifiedTime(file, FileTime.from(written));
    return new FileSource(file, Duration.ofSeconds(1), USUAL, CLOCK).ask().getFirst();
  }

  @Test
  void aFileThatIsNotThereSaysNothing() throws Exception {
    Path file = directory.resolve("nothing/down");
    assertEquals(List.of(), new FileSource(file, USUAL, USUAL, CLOCK).ask());
  }

  @Test
  void aFileMayNameSecondsAnInstantOrMore() throws Exception {
    assertEquals(Optional.of(Duration.ofSeconds(24)), file("").left());
    assertEquals(Optional.of(Duration.ofSeconds(59)), file("60\n").left());
    assertEquals(Optional.of(Duration.ofMillis(500)), file("1.5").left());
    assertEquals(Optional.of(Duration.ofSeconds(90)), file(" 2026-11-22T13:01:30+01:00 ").left());
    Notice notice = file("{\"deadline\": 10, \"text\": \"night is coming\"}");
    assertEquals(Optional.of(Duration.ofSeconds(9)), notice.left());
    assertEquals("night is coming", notice.text());
    assertEquals(Notice.Kind.RISK, file("{\"kind\": \"risk\"}").kind());
  }

  @Test
  void aFileIsANoticeWhateverIsInIt() throws Exception {
    Notice notice = file("we close at five");
    assertEquals(Notice.Kind.TERMINATION, notice.kind());
    assertEquals(USUAL, notice.usual());
    assertEquals("we close at five", notice.text());
    assertEquals(Notice.Kind.TERMINATION, file("{\"kind\": \"strange\"}").kind());
    Files.delete(directory.resolve("down"));
    Files.createDirectory(directory.resolve("down"));
    assertEquals(1, new FileSource(directory.resolve("down"), USUAL, USUAL, CLOCK).ask().size());
  }

  @Test
  void aFileFromTheFutureLeavesNoMoreTimeThanItSays() throws Exception {
    assertEquals(Optional.of(Duration.ofMinutes(1)), file("60", NOW.plusSeconds(3600)).left());
  }

  @Test
  void aFileThatIsWrittenAnewIsANewNotice() throws Exception {
    String first = file("60").id();
    assertEquals(first, file("60").id());
    assertTrue(!first.equals(file("61").id()));
    assertTrue(!first.equals(file("60", NOW.minusSeconds(2)).id()));
  }

  /** The endpoint of a user. */
  private static final class Endpoint extends MetadataServer {
    private volatile Answer next = new Answer(204, "");

    Endpoint() {
      open();
    }

    @Override
    protected Answer answer(HttpExchange exchange, String body) {
      return next;
    }
  }

  private static HttpSource source(Endpoint endpoint, Duration answersWithin) {
    return new HttpSource(
        new MetadataHttpClient(),
        endpoint.uri().resolve("/down?x=1"),
        Duration.ofSeconds(1),
        answersWithin,
        USUAL,
        CLOCK);
  }

  @Test
  void anEndpointSaysByItsStatusWhetherThereIsANotice() throws Exception {
    try (Endpoint endpoint = new Endpoint()) {
      HttpSource source = source(endpoint, Duration.ofMinutes(1));
      assertEquals(List.of(), source.ask());
      endpoint.next = new MetadataServer.Answer(404, "<html>");
      assertEquals(List.of(), source.ask());
      endpoint.next = new MetadataServer.Answer(200, "");
      assertEquals(Optional.of(USUAL), source.ask().getFirst().left());
      endpoint.next = new MetadataServer.Answer(200, "{\"deadline\": 40, \"text\": \"a\"}");
      Notice notice = source.ask().getFirst();
      assertEquals(Optional.of(Duration.ofSeconds(40)), notice.left());
      endpoint.next = new MetadataServer.Answer(200, "{\"deadline\": 39, \"text\": \"a\"}");
      assertEquals(notice.id(), source.ask().getFirst().id());
      for (MetadataServer.Answer wrong :
          List.of(
              new MetadataServer.Answer(200, "<html>a page of a proxy</html>"),
              new MetadataServer.Answer(200, "{\"deadline\": \"tomorrow\"}"),
              new MetadataServer.Answer(200, "{\"deadline\": "),
              new MetadataServer.Answer(200, "{\"deadline\": {}}"),
              new MetadataServer.Answer(200, "{\"deadline\": [5]}"),
              new MetadataServer.Answer(200, "{\"kind\": {}}"),
              new MetadataServer.Answer(200, "{\"text\": [], \"kind\": \"risk\"}"),
              new MetadataServer.Answer(200, "x".repeat(300_000)),
              new MetadataServer.Answer(302, ""),
              new MetadataServer.Answer(503, ""))) {
        endpoint.next = wrong;
        assertThrows(IOException.class, source::ask);
      }
      endpoint.trouble(MetadataServer.Trouble.HANG);
      HttpSource impatient = source(endpoint, Duration.ofSeconds(1));
      IOException slow = assertThrows(IOException.class, impatient::ask);
      assertTrue(String.valueOf(slow.getMessage()).endsWith("no answer in time"), slow.toString());
    }
  }

  private static CommandSource command(String line) {
    return new CommandSource(
        UserCommand.shell(line, Duration.ofSeconds(20)), Duration.ofSeconds(1), USUAL, CLOCK);
  }

  @Test
  void aCommandSaysByItsExitCodeWhetherThereIsANotice() throws Exception {
    assertEquals(List.of(), command("echo 5; exit 1").ask());
    assertEquals(Optional.of(USUAL), command("true").ask().getFirst().left());
    assertEquals(Optional.of(Duration.ofSeconds(5)), command("echo 5").ask().getFirst().left());
    assertEquals("by hand", command("echo by hand").ask().getFirst().text());
  }

  @Test
  void aCommandThatCannotDoItsWorkHasFailed() {
    assertThrows(IOException.class, () -> command("exec /nonexistent/program").ask());
    assertThrows(IOException.class, () -> command("kill -9 $$").ask());
    CommandSource slow =
        new CommandSource(
            UserCommand.shell("sleep 600", Duration.ofMillis(200)), USUAL, USUAL, CLOCK);
    IOException failure = assertThrows(IOException.class, slow::ask);
    assertTrue(String.valueOf(failure.getMessage()).contains("killed"), failure.toString());
  }
}
