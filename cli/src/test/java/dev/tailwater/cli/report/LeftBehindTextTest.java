package dev.tailwater.cli.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.drain.LeftBehind;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LeftBehindTextTest {
  private static final StreamId STREAM =
      StreamId.of("web-1", new FileIdentity(1, 2, OptionalLong.empty(), OptionalLong.of(3)), 0);

  private static LeftBehind left(String path, boolean growing, ByteRange... ranges) {
    return new LeftBehind(PosixPath.of(path), STREAM, List.of(ranges), growing);
  }

  private static List<String> lines(LeftBehindText text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    text.print(new PrintStream(out, true, UTF_8));
    return out.toString(UTF_8).lines().toList();
  }

  @Test
  void namesEachFileAndWhatOfItIsLeft() {
    assertEquals(
        List.of(
            "  /logs/a.log  bytes [0, 10), [20, 30)",
            "  /logs/b.log  bytes [5, 7), still growing when reading stopped"),
        lines(
            LeftBehindText.of(
                List.of(
                    left("/logs/a.log", false, new ByteRange(0, 10), new ByteRange(20, 30)),
                    left("/logs/b.log", true, new ByteRange(5, 7))))));
  }

  @Test
  void countsTheFilesThatItDoesNotName() {
    List<LeftBehind> many =
        IntStream.range(0, 103)
            .mapToObj(i -> left("/logs/" + i, false, new ByteRange(0, 7)))
            .toList();
    List<String> lines = lines(LeftBehindText.of(many));
    assertEquals(101, lines.size());
    assertEquals("  /logs/99  bytes [0, 7)", lines.get(99));
    assertEquals(
        "  and 3 more files, 21 B; what the archive has says which: 'tailwater verify DESTINATION'",
        lines.getLast());
  }

  @Test
  void anAnswerOfAnAgentSaysTheSameAsItsReport() throws IOException {
    String answer =
        """
        {"leftBehind": [{"path": "/logs/b.log", "growing": true,
          "ranges": [{"startBytes": 5, "endBytes": 7}]}]}
        """;
    assertEquals(
        lines(LeftBehindText.of(List.of(left("/logs/b.log", true, new ByteRange(5, 7))))),
        lines(LeftBehindText.of(JsonText.parse(answer))));
  }
}
