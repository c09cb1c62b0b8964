package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.report.JsonText;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A machine is dead and its disk is attached to another one: as another device, mounted elsewhere.
 * Needs root.
 */
class AfterDeathTest {
  @TempDir private Path directory;

  @Test
  void goesOnWithADiskOfXfsOfWhichOnlyTheArchiveIsLeft() throws Exception {
    goesOn(TestFileSystems.xfs(TestFileSystems.MIN_XFS_BYTES, 4096), false);
  }

  @Test
  void goesOnWithADiskOfExt4ThatHasTheOldState() throws Exception {
    goesOn(TestFileSystems.ext4(256L << 20, 4096), true);
  }

  @Test
  void anAgentThatShipsItsOwnMessagesIsNotCalledDead() throws Exception {
    try (Site site = new Site(directory)) {
      Files.writeString(site.log("app.log"), "one\n");
      String ship =
          Packaged.launcher()
              + " ship --once --agent "
              + Site.AGENT
              + " --state state logs archive 2>> logs/agent.log";
      for (int run = 0; run < 2; run++) {
        Packaged.Run once = Packaged.run(directory, Map.of(), List.of("sh", "-c", ship));
        assertEquals(0, once.exitCode(), once.err());
        Packaged.Run ls = site.tailwater("ls", "--expect-complete", "archive");
        assertEquals(0, ls.exitCode(), ls.out() + ls.err());
      }
      String messages = Files.readString(site.log("agent.log"));
      assertTrue(messages.contains("nothing is left"), messages);
    }
  }

  private void goesOn(MountedFileSystem disk, boolean oldState) throws Exception {
    Path oldRoot = disk.root();
    Path state = oldState ? oldRoot.resolve("state") : directory.resolve("old-state");
    Map<Path, byte[]> written = new TreeMap<>();
    MountedFileSystem elsewhere;
    try (Site site = new Site(directory)) {
      Files.createDirectory(oldRoot.resolve("logs"));
      append(written, oldRoot, "app.log", 300_000);
      append(written, oldRoot, "old.log", 70_000);
      Process agent =
          site.start(
              "ship",
              "--agent",
              Site.AGENT,
              "--max-age",
              "50ms",
              "--state",
              state.toString(),
              oldRoot.resolve("logs").toString(),
              "archive");
      Site.await("something is delivered", () -> delivered(site) >= 370_000);
      rename(written, oldRoot, "old.log", "old.log.1");
      site.kill(agent);
      append(written, oldRoot, "app.log", 50_000);
      append(written, oldRoot, "new.log", 1_000);
      assertEquals("unknown", completeness(site).get("app.log"));
      elsewhere = disk.attachElsewhere();
    }
    try (elsewhere;
        Site other = new Site(directory)) {
      List<String> before = objects();
      Packaged.Run ship =
          other.tailwater(
              "ship",
              "--once",
              "--agent",
              Site.AGENT,
              "--state",
              oldState ? elsewhere.root().resolve("state").toString() : "new-state",
              elsewhere.root().resolve("logs").toString(),
              "--as",
              oldRoot.resolve("logs").toString(),
              "archive");
      assertEquals(0, ship.exitCode(), ship.err());
      assertTrue(objects().containsAll(before), "what was there is there");
      Outage.requireNothingTwice(objects());
      assertEquals(
          Map.of("app.log", "yes", "old.log.1", "yes", "new.log", "yes"), completeness(other));
      Packaged.Run restore = other.restore();
      assertEquals(0, restore.exitCode(), restore.err());
      assertEquals(written.size(), Site.files(directory.resolve("restored")).size());
      for (Map.Entry<Path, byte[]> file : written.entrySet()) {
        byte[] restored = Files.readAllBytes(other.restored(file.getKey()));
        assertEquals(-1, Arrays.mismatch(file.getValue(), restored), file.getKey().toString());
      }
    }
  }

  private static void append(Map<Path, byte[]> written, Path root, String name, int lengthBytes)
      throws IOException {
    Path path = root.resolve("logs").resolve(name);
    byte[] bytes = new byte[lengthBytes];
    new Random(lengthBytes).nextBytes(bytes);
    Files.write(path, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    written.put(path, Files.readAllBytes(path));
  }

  private static void rename(Map<Path, byte[]> written, Path root, String from, String to)
      throws IOException {
    Path logs = root.resolve("logs");
    Files.move(logs.resolve(from), logs.resolve(to));
    written.put(logs.resolve(to), written.remove(logs.resolve(from)));
  }

  private long delivered(Site site) throws Exception {
    Packaged.Run ls = site.tailwater("ls", "archive", "--json");
    if (ls.exitCode() != 0) {
      assertTrue(ls.err().contains("no archive at"), ls.err());
      return 0;
    }
    return JsonText.parse(ls.out()).objects("streams").stream()
        .mapToLong(stream -> stream.number("availableBytes"))
        .sum();
  }

  /** By the names of the files, what {@code ls} says. */
  private static Map<String, String> completeness(Site site) throws Exception {
    Packaged.Run ls = site.tailwater("ls", "archive", "--agent", Site.AGENT, "--json");
    assertEquals(0, ls.exitCode(), ls.err());
    Map<String, String> found = new TreeMap<>();
    for (JsonText stream : JsonText.parse(ls.out()).objects("streams")) {
      String path = stream.text("path");
      found.put(path.substring(path.lastIndexOf('/') + 1), stream.text("complete"));
    }
    return found;
  }

  /** The keys of all segments. */
  private List<String> objects() throws IOException {
    Path archive = directory.resolve("archive");
    List<String> keys = new ArrayList<>();
    try (Stream<Path> paths = Files.walk(archive)) {
      paths
          .filter(path -> path.toString().endsWith(".zst"))
          .forEach(path -> keys.add(archive.relativize(path).toString()));
    }
    return keys;
  }
}
