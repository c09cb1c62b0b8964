package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes that a run of the packaged program left behind are gone before the next one. */
class LostBytesShippedTest {
  private static final String LOST = "0000000000000000006-0000000000000000013";

  private Path directory;
  private Path log;
  private Path stream;

  @BeforeEach
  void deliverTheFirstBytes(@TempDir Path base) throws Exception {
    directory = base.toRealPath();
    log = Files.createDirectory(directory.resolve("logs")).resolve("app.log");
    Files.writeString(log, "first\n");
    ship(0);
    stream = Objects.requireNonNull(find(".zst").getFirst().getParent());
  }

  private String ship(int expected) throws Exception {
    Packaged.Run run =
        Packaged.tailwater(
            directory, "ship", "--once", "--packs", "off", "--state", "state", "logs", "archive");
    String said = run.out() + run.err();
    assertEquals(expected, run.exitCode(), said);
    return said;
  }

  private List<Path> find(String suffix) throws Exception {
    try (Stream<Path> all = Files.walk(directory.resolve("archive"))) {
      return all.filter(path -> path.toString().endsWith(suffix)).toList();
    }
  }

  private void append() throws Exception {
    Files.writeString(log, "second\n", StandardOpenOption.APPEND);
  }

  @Test
  void theNextRunRecordsThatTheyAreLost() throws Exception {
    Path away = Files.move(stream, directory.resolve("away"));
    Files.createFile(stream); // Nothing can be put there.
    append();
    ship(3);
    Files.delete(stream);
    Files.move(away, stream);
    Files.writeString(log, "2\n");
    Packaged.Run status = Packaged.tailwater(directory, "status", "--state", "state");
    assertTrue(status.out().contains("7 bytes that were seen and not delivered are gone"));
    ship(0);
    assertTrue(Files.exists(stream.resolve(LOST + ".gap")));
  }

  @Test
  void theNextRunReportsThemWhereOthersHaveTheirName() throws Exception {
    Files.copy(find(".zst").getFirst(), stream.resolve(LOST + ".zst"));
    append();
    ship(3);
    Files.writeString(log, "2\n");
    String said = ship(3);
    assertTrue(said.contains("bytes [6, 13) of " + log + " are lost"), said);
    ship(0);
    assertTrue(Files.exists(stream.resolve(LOST + ".gap")));
  }
}
