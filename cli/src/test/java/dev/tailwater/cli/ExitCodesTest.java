package dev.tailwater.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.report.JsonText;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What runs end with of which something is not as it should be. */
class ExitCodesTest {
  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void makeSources() throws Exception {
    directory = directory.toRealPath();
    Files.createDirectories(directory.resolve("logs/sub.d"));
    file = directory.resolve("logs/data.db");
    Files.writeString(file, "b".repeat(1000));
  }

  private Trial run(int exitCode, String... arguments) {
    Trial trial = Trial.run(directory, arguments);
    assertEquals(exitCode, trial.exitCode(), trial.out() + trial.err());
    return trial;
  }

  private Trial ship(int exitCode, String... sources) {
    String[] arguments = new String[sources.length + 5];
    System.arraycopy(new String[] {"ship", "--once", "--state", "state"}, 0, arguments, 0, 4);
    System.arraycopy(sources, 0, arguments, 4, sources.length);
    arguments[arguments.length - 1] = "archive";
    return run(exitCode, arguments);
  }

  private void changeInPlace() throws Exception {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.write('X');
    }
  }

  private String recipient() throws Exception {
    run(0, "keygen", "-o", "key.txt");
    return Files.readString(directory.resolve("key.txt"))
        .replaceAll("(?s).*public key: (\\S+).*", "$1");
  }

  @Test
  void aGlobThatMatchesOnlyDirectoriesShipsNothingAndSaysSo() {
    Trial trial = ship(1, "logs/*.d");
    assertFalse(trial.err().contains("nothing is left"), trial.err());
    assertTrue(trial.err().contains("logs/*.d matches no file"), trial.err());
    assertTrue(trial.err().contains("Hint: a glob names files"), trial.err());
    Trial some = ship(3, "logs/*.d", "logs/*.db");
    assertTrue(some.err().contains("logs/*.d matches no file"), some.err());
    ship(0, "logs/*.db");
  }

  @Test
  void nothingIsLeftIsNotSaidOfSourcesThatAreNotThere() {
    Trial trial = ship(1, "nothere");
    assertTrue(trial.err().contains("nothere does not exist"), trial.err());
    assertFalse(trial.err().contains("nothing is left"), trial.err());
  }

  @Test
  void aDirectoryWithoutFilesIsShippedAsItIs() throws Exception {
    Files.createDirectory(directory.resolve("empty"));
    ship(0, "empty");
  }

  @Test
  void aFileThatWasChangedInPlaceIsDeliveredByTheNextRun() throws Exception {
    ship(0, "logs");
    changeInPlace();
    run(3, "status", "--state", "state", file.toString());
    ship(0, "logs");
    run(0, "status", "--state", "state", file.toString());
    run(0, "ls", "archive", "--expect-complete");
    run(0, "verify", "archive", "--against", "/");
    assertTrue(run(0, "cat", "archive", file.toString()).out().startsWith("Xb"));
  }

  @Test
  void anAgentThatCouldNotReadEveryFileIsNotSaidToHaveLeftNothing() throws Exception {
    ship(0, "logs");
    assertTrue(run(0, "ls", "archive").err().contains("and left nothing behind\n"));
    changeRecord(
        "\"problemCount\":0,\"problems\":[]", "\"problemCount\":2,\"problems\":[\"open /x\"]");
    String said =
        """
         and left nothing behind of what it could open; 2 problems kept it from everything
          open /x
          and 1 more
        """;
    for (String command : List.of("ls", "verify")) {
      Trial trial = run(0, command, "archive");
      assertTrue(trial.err().contains(said), trial.err());
    }
    run(3, "ls", "archive", "--expect-complete");
    String status = run(0, "status", "--state", "state").out();
    assertTrue(status.contains("nothing of these files"), status);
  }

  @Test
  void anAgentThatCouldNotNameAllThatItLeftIsNotSaidToHaveLeftNothing() throws Exception {
    ship(0, "logs");
    changeRecord("\"leftBehindFiles\":0", "\"leftBehindFiles\":70000");
    Trial trial = run(3, "ls", "archive", "--expect-complete");
    assertTrue(trial.err().contains("and left 0 B of 70000 files behind"), trial.err());
  }

  private void changeRecord(String before, String after) throws Exception {
    try (Stream<Path> files = Files.walk(directory.resolve("archive"))) {
      Path record =
          files.filter(path -> path.endsWith("~left-behind.json")).findFirst().orElseThrow();
      String text = Files.readString(record);
      assertTrue(text.contains(before), text);
      Files.writeString(record, text.replace(before, after));
    }
  }

  /** Encrypted, and no check with which an agent could read its packs after a crash. */
  @Test
  void aFileWhoseChangeCannotBeDeliveredIsNotCalledDeliveredByAnybody() throws Exception {
    String recipient = recipient();
    ship(0, "--encrypt-to", recipient, "--content-check", "off", "logs");
    run(0, "status", "--state", "state", file.toString());
    changeInPlace();
    Trial status = run(3, "status", "--state", "state", file.toString());
    assertTrue(status.out().contains("changed in place"), status.out());
    Trial json = run(3, "status", "--state", "state", "--json", file.toString());
    JsonText answer = JsonText.parse(json.out()).objects("files").getFirst();
    assertTrue(answer.isTrue("changedInPlace"), json.out());
    assertFalse(answer.isTrue("delivered"), json.out());
    Trial all = run(0, "status", "--state", "state");
    assertTrue(all.out().contains("1 file; the archive has what was there before"), all.out());
    Trial metrics = run(0, "status", "--state", "state", "--metrics");
    assertTrue(metrics.out().contains("tailwater_changed_in_place_files{"), metrics.out());
    Trial ship = ship(3, "--encrypt-to", recipient, "--content-check", "off", "logs");
    assertTrue(ship.err().contains("data.db  changed in place after it was read"), ship.err());
    assertFalse(ship.err().contains("nothing is left"), ship.err());
    Trial ls = run(3, "ls", "archive", "--expect-complete", "--identity", "key.txt");
    assertTrue(ls.out().contains("changed in place"), ls.out());
    JsonText stream =
        JsonText.parse(run(0, "ls", "archive", "--json", "--identity", "key.txt").out())
            .objects("streams")
            .getFirst();
    assertEquals("no", stream.text("complete"));
    assertTrue(stream.isTrue("changedInPlace"));
  }
}
