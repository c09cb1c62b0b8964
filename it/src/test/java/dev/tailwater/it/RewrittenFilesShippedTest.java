package dev.tailwater.it;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real programs that rewrite files. What the agent calls delivered is restored after it was killed
 * at that moment; what it drains is restored too.
 */
class RewrittenFilesShippedTest {
  private static final int FILE_BYTES = 3 << 20;
  private static final int ROUNDS = 3;
  private static final long WRITER_SECONDS = 60;

  private static final String STORE_TO_MAPPING =
      """
      import mmap, sys
      with open(sys.argv[1], "r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
          for i in range(200):
              at = i * 7919 * 3 % (len(mapped) - 1000)
              mapped[at:at + 40] = (sys.argv[2] + " store %6d" % i).encode().ljust(40)
              mapped.flush()
      """;

  private static final String FILL_LOG =
      """
      import sys
      with open(sys.argv[1], "r+b") as file:
          file.seek(int(sys.argv[2]))
          for i in range(2000):
              file.write(b"line %d of a log with a place of its own\\n" % i)
          print(file.tell())
      """;

  /**
   * Makes a database with a write-ahead log. For a moment it has a rollback journal. Where an agent
   * sees that, it is restored beside the database, which SQLite then rolls back to nothing.
   */
  private static final String CREATE_DATABASE =
      """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1], isolation_level=None)
      database.execute("pragma journal_mode = wal")
      database.execute("create table rows (number integer primary key, text text)")
      database.close()
      """;

  /** Prints how many rows are committed after each transaction, until it is killed. */
  private static final String FILL_DATABASE =
      """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1], isolation_level=None)
      database.execute("pragma journal_mode = wal")
      database.execute("pragma synchronous = normal")
      database.execute("pragma wal_autocheckpoint = 20")
      number = 0
      while True:
          database.execute("begin")
          for i in range(50):
              database.execute("insert into rows values (?, ?)", (number, "row %d" % number * 9))
              number += 1
          database.execute("update rows set text = text || '!' where number % 97 = ?", (number % 97,))
          database.execute("commit")
          print(number, flush=True)
      """;

  private static final String CHECK_DATABASE =
      """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      print(database.execute("pragma integrity_check").fetchone()[0])
      print(database.execute("select count(*) from rows").fetchone()[0])
      """;

  @TempDir private Path directory;

  private static String program(String name) {
    List<Path> found =
        Stream.of(System.getenv("PATH").split(File.pathSeparator))
            .map(folder -> Path.of(folder, name))
            .filter(Files::isExecutable)
            .toList();
    assumeTrue(!found.isEmpty(), name + " is not installed");
    return found.getFirst().toString();
  }

  private static String run(Site site, String... command) throws Exception {
    Packaged.Run run = Packaged.run(site.base(), Map.of(), List.of(command));
    assertEquals(0, run.exitCode(), run.err());
    return run.out().strip();
  }

  private static byte[] noise(int lengthBytes, long seed) {
    byte[] bytes = new byte[lengthBytes];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private interface Writer {
    void write(int round) throws Exception;
  }

  /**
   * Lets a program rewrite a file that was delivered. In each round but the last the agent is
   * killed as soon as it calls the file delivered; in the last one it drains. What a program saves
   * by renaming may live for a moment only: then the agent says that it missed a version.
   */
  private static void rewrite(Site site, Path file, Writer writer) throws Exception {
    for (int round = 1; round <= ROUNDS; round++) {
      Process agent = site.agent();
      site.awaitDelivered(file);
      writer.write(round);
      boolean killed = round < ROUNDS;
      if (killed) {
        site.awaitDelivered(file);
        site.kill(agent);
      } else {
        int exitCode = site.stop(agent);
        String said = site.messages().substring(site.messages().lastIndexOf("stopping"));
        boolean missed =
            said.lines()
                .filter(line -> !line.contains("may have been"))
                .anyMatch(line -> line.contains("gone before it could be opened"));
        assertEquals(missed ? 3 : 0, exitCode, said);
      }
      site.restoreAndCompareButWhatIsReplaced("--overwrite");
    }
    Packaged.Run verify = site.tailwater("verify", site.destination(), "--against", "/");
    assertEquals(0, verify.exitCode(), verify.out() + verify.err());
  }

  /** Of a file that the archive holds in several ranges, the first one was rewritten. */
  @ParameterizedTest
  @ValueSource(strings = {"on", "off"})
  void whatWasRewrittenWhileNoAgentRanIsRestoredAlthoughTheStateIsLost(String packs)
      throws Exception {
    try (Site site = new Site(directory)) {
      Path file = site.log("data.db");
      for (int part = 1; part <= 2; part++) {
        Files.write(file, noise(FILE_BYTES / 2, part), CREATE, APPEND);
        ship(site, packs);
      }
      Files.move(site.base().resolve("state"), site.base().resolve("lost"));
      try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
        open.seek(1000);
        open.write(noise(500, 3));
      }
      String said = ship(site, packs);
      assertTrue(said.contains("nothing is left"), said);
      Packaged.Run restore = site.restore();
      assertEquals(0, restore.exitCode(), restore.err());
      assertArrayEquals(Files.readAllBytes(file), Files.readAllBytes(site.restored(file)));
    }
  }

  private static String ship(Site site, String packs) throws Exception {
    Packaged.Run ship =
        site.tailwater(
            "ship",
            "--once",
            "--agent",
            Site.AGENT,
            "--state",
            "state",
            "--packs",
            packs,
            "logs",
            site.destination());
    assertEquals(0, ship.exitCode(), ship.err());
    return ship.err();
  }

  @Test
  void whatRsyncWritesInPlaceIsRestored() throws Exception {
    String rsync = program("rsync");
    try (Site site = new Site(directory)) {
      Path original = site.base().resolve("original.bin");
      Path copy = site.log("copy.bin");
      Files.write(original, noise(FILE_BYTES, 1));
      run(site, rsync, "--inplace", original.toString(), copy.toString());
      rewrite(
          site,
          copy,
          round -> {
            try (RandomAccessFile changed = new RandomAccessFile(original.toFile(), "rw")) {
              for (int at : List.of(5, 700_000 * round, 2 << 20)) {
                changed.seek(at);
                changed.write(noise(round == 1 ? 4 : 90_000, at + round));
              }
            }
            // A copy of the same second and size would be taken for the same.
            run(
                site,
                rsync,
                "--inplace",
                "--no-whole-file",
                "--times",
                "--ignore-times",
                original.toString(),
                copy.toString());
            assertEquals(-1, Files.mismatch(original, copy), "rsync has not copied");
          });
    }
  }

  @Test
  void whatIsStoredThroughAMappingIsRestored() throws Exception {
    String python = program("python3");
    try (Site site = new Site(directory)) {
      Path file = site.log("mapped.bin");
      Files.write(file, noise(FILE_BYTES, 2));
      rewrite(
          site,
          file,
          round -> run(site, python, "-c", STORE_TO_MAPPING, "" + file, "round " + round));
    }
  }

  @Test
  void aPreallocatedLogIsRestoredAsFarAsItIsFilled() throws Exception {
    String python = program("python3");
    String fallocate = program("fallocate");
    try (Site site = new Site(directory)) {
      Path log = site.log("preallocated.log");
      run(site, fallocate, "--length", "1MiB", log.toString());
      long[] filledBytes = {0};
      rewrite(
          site,
          log,
          _ -> {
            String until = run(site, python, "-c", FILL_LOG, "" + log, "" + filledBytes[0]);
            filledBytes[0] = Long.parseLong(until);
          });
      assertEquals(1 << 20, Files.size(site.restored(log)), "size of the restored log");
    }
  }

  @Test
  void whatAnEditorSavesByRenamingIsRestored() throws Exception {
    String sed = program("sed");
    try (Site site = new Site(directory)) {
      Path file = site.log("settings.conf");
      Files.writeString(file, "number = 0\n" + "# a line that stays\n".repeat(400));
      rewrite(
          site,
          file,
          round -> {
            for (int save = 0; save < 10; save++) {
              String number = "number = " + round + save;
              run(site, sed, "--in-place", "s/^number = .*/" + number + "/", file.toString());
            }
            assertTrue(Files.readString(file).startsWith("number = " + round + "9\n"), "saved");
          });
    }
  }

  @Test
  void anEarlierStateOfARewrittenFileIsRestored() throws Exception {
    try (Site site = new Site(directory)) {
      Path file = site.log("data.bin");
      byte[] first = noise(FILE_BYTES, 4);
      Files.write(file, first);
      Process agent = site.agent();
      site.awaitDelivered(file);
      Instant before = Instant.now();
      Thread.sleep(5); // So that what follows is sealed later.
      try (RandomAccessFile changed = new RandomAccessFile(file.toFile(), "rw")) {
        changed.seek(1_000_000);
        changed.write(noise(100_000, 5));
      }
      site.awaitDelivered(file);
      Files.move(file, site.log("renamed.bin"));
      site.stop(agent, 0);
      Packaged.Run none =
          site.tailwater("ls", site.destination(), "--at", before.minusSeconds(3600).toString());
      assertEquals(1, none.exitCode(), none.err());
      Packaged.Run then = site.restore("--at", before.toString());
      assertArrayEquals(first, Files.readAllBytes(site.restored(file)), then.err());
      site.restoreAndCompare();
    }
  }

  @Test
  void aDatabaseOfSqliteIsRestoredWithItsLogAfterItsWriterWasKilled() throws Exception {
    String python = program("python3");
    try (Site site = new Site(directory)) {
      Path database = site.log("rows.db");
      Path written = site.base().resolve("written.txt");
      run(site, python, "-c", CREATE_DATABASE, database.toString());
      Process agent = site.agent();
      Process writer =
          new ProcessBuilder(python, "-c", FILL_DATABASE, database.toString())
              .redirectOutput(written.toFile())
              .redirectError(site.base().resolve("writer.txt").toFile())
              .start();
      try {
        // The log has begun anew many times by then.
        Site.await("rows are written", () -> committed(written) > 2_500 || !writer.isAlive());
        site.kill(agent);
        long before = committed(written);
        agent = site.agent();
        Site.await("more are", () -> committed(written) > before + 2_500 || !writer.isAlive());
        assertTrue(writer.isAlive(), Packaged.text(site.base().resolve("writer.txt")));
      } finally {
        writer.destroyForcibly();
        assertTrue(writer.waitFor(WRITER_SECONDS, TimeUnit.SECONDS), "the writer still runs");
      }
      site.stop(agent, 0);
      site.restoreAndCompare();
      Packaged.Run verify = site.tailwater("verify", site.destination(), "--against", "/");
      assertEquals(0, verify.exitCode(), verify.out() + verify.err());
      Path restored = site.restored(database);
      assertTrue(Files.exists(Path.of(restored + "-wal")), "the log was restored");
      List<String> checked =
          run(site, python, "-c", CHECK_DATABASE, "" + restored).lines().toList();
      assertEquals("ok", checked.getFirst(), "integrity of the restored database");
      assertTrue(
          Long.parseLong(checked.getLast()) >= committed(written),
          checked.getLast() + " rows restored of " + committed(written));
    }
  }

  private static long committed(Path written) throws IOException {
    List<String> lines = Files.readString(written).lines().toList();
    return lines.isEmpty() ? 0 : Long.parseLong(lines.getLast().strip());
  }
}
