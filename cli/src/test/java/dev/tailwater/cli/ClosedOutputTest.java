package dev.tailwater.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.cli.host.StandardOutput;
import dev.tailwater.cli.host.Surroundings;
import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said, and with what a command exits, when its output cannot be written. */
class ClosedOutputTest {
  private static final Path FULL = Path.of("/dev/full");

  @TempDir private Path directory;

  private record Ended(int exitCode, String err) {}

  @BeforeEach
  void deliver() throws Exception {
    Files.createDirectories(directory.resolve("logs"));
    Files.writeString(directory.resolve("logs/a"), "a".repeat(100_000));
    Trial ship = Trial.run(directory, "ship", "--once", "--state", "state", "logs", "archive");
    assertEquals(0, ship.exitCode(), ship.err());
  }

  private Ended run(OutputStream out, String... arguments) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Surroundings surroundings =
        new Surroundings(
            StandardOutput.over(out),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Map.of(),
            directory,
            OptionalInt.empty());
    int exitCode = new Program(surroundings).run(arguments);
    return new Ended(exitCode, err.toString(StandardCharsets.UTF_8));
  }

  /** Runs a command whose output goes to a pipe that nobody reads. */
  private Ended runIntoClosedPipe(String... arguments) throws IOException {
    Process reader =
        new ProcessBuilder("sh", "-c", "exec 0<&-; echo closed; exec sleep 100").start();
    try {
      assertEquals("closed", reader.inputReader(StandardCharsets.UTF_8).readLine());
      return run(reader.getOutputStream(), arguments);
    } finally {
      reader.destroyForcibly();
    }
  }

  private Ended runIntoFullDisk(String... arguments) throws IOException {
    assumeTrue(Files.exists(FULL), "no " + FULL);
    try (OutputStream full = new FileOutputStream(FULL.toFile())) {
      return run(full, arguments);
    }
  }

  private String path() throws IOException {
    return directory.toRealPath().resolve("logs/a").toString();
  }

  @Test
  void aReaderThatWantsNoMoreIsTheEndAndNoProblem() throws Exception {
    for (String[] command :
        new String[][] {
          {"ls", "archive"},
          {"cat", "archive", path()},
          {"restore", "--json", "archive", "restored"},
          {"completion", "bash"},
          {"help"}
        }) {
      Ended ended = runIntoClosedPipe(command);
      assertEquals(141, ended.exitCode(), command[0] + ": " + ended.err());
      assertTrue(!ended.err().contains("output"), ended.err());
      assertTrue(!ended.err().contains("Hint"), ended.err());
    }
    assertTrue(Files.exists(directory.resolve("restored/" + path())), "all else is done");
  }

  @Test
  void aFullDiskIsSaidAndIsAFailure() throws Exception {
    for (String[] command : new String[][] {{"ls", "archive"}, {"cat", "archive", path()}}) {
      Ended ended = runIntoFullDisk(command);
      assertEquals(1, ended.exitCode(), ended.err());
      assertEquals(
          1, ended.err().split("the output could not be written", -1).length - 1, ended.err());
      assertTrue(ended.err().contains("No space left on device"), ended.err());
      assertTrue(ended.err().contains("Hint: look at what stdout"), ended.err());
    }
  }

  /** Who reads on after exit code 3 must not take half of a list for the list. */
  @Test
  void aFullDiskIsSaidOfWhatIsDoneInPartToo() throws Exception {
    Files.writeString(directory.resolve("logs/a"), "b");
    Trial whole = Trial.run(directory, "status", "--state", "state", path());
    assertEquals(3, whole.exitCode(), whole.err());
    Ended status = runIntoFullDisk("status", "--state", "state", path());
    assertEquals(1, status.exitCode(), status.err());
    assertTrue(status.err().contains("No space left on device"), status.err());
    Ended closed = runIntoClosedPipe("status", "--state", "state", path());
    assertEquals(3, closed.exitCode(), closed.err());
  }

  /** It changes nothing before its report is written: silence would be taken for a repair. */
  @Test
  void aRepairWhoseReportIsNotReadIsSaidNotToBeDone() throws Exception {
    Path input = directory.resolve("in.json");
    Files.writeString(input, "{\"key\":\"first\",\"value\":\"value of first\"}\n");
    Trial made = Trial.run(directory, "store", "import", "s", "in.json");
    assertEquals(0, made.exitCode(), made.err());
    Path file = directory.resolve("s/data-0000000001-0000000001-000000");
    String whole = Files.readString(file, StandardCharsets.ISO_8859_1);
    String damaged = whole.replace("value of", "Value of");
    assertNotEquals(whole, damaged);
    Files.writeString(file, damaged, StandardCharsets.ISO_8859_1);
    Ended dry = runIntoClosedPipe("store", "repair", "s", "--dry-run");
    assertEquals(141, dry.exitCode(), dry.err());
    Ended repair = runIntoClosedPipe("store", "repair", "s");
    assertEquals(1, repair.exitCode(), repair.err());
    assertTrue(repair.err().contains("the store may not be repaired"), repair.err());
    assertTrue(repair.err().contains("store verify s"), repair.err());
    assertEquals(3, Trial.run(directory, "store", "verify", "s").exitCode());
  }

  /** What came later would hide that something is missing in the middle. */
  @Test
  void nothingIsWrittenAfterWhatCouldNotBeWritten() {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    OutputStream disk =
        new OutputStream() {
          private int writes;

          @Override
          public void write(int b) {
            written.write(b);
          }

          @Override
          public void write(byte[] from, int offset, int lengthBytes) throws IOException {
            writes++;
            if (writes == 2) {
              throw new IOException("No space left on device");
            }
            written.write(from, offset, lengthBytes);
          }
        };
    StandardOutput out = StandardOutput.over(disk);
    out.println("first");
    out.println("second");
    out.println("third");
    assertEquals("first\n", written.toString(StandardCharsets.UTF_8));
    assertTrue(out.checkError());
  }
}
