package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged program delivers many short files in packs, and two readers restore them. */
class PacksShippedTest {
  /** In all files together, on average: two packs. */
  private static final int LINES = 60_000;

  private static final Path READER = Path.of("src/test/python/read_archive.py");

  @TempDir private Path directory;

  private static void write(Site site, int files) throws IOException {
    Random random = new Random(3);
    for (int i = 0; i < files; i++) {
      Path folder = site.logs().resolve("folder-" + i % 17);
      Files.createDirectories(folder);
      StringBuilder text = new StringBuilder();
      for (int line = random.nextInt(2 * LINES / files); line > 0; line--) {
        text.append("request ").append(random.nextInt(500)).append(" of client ").append(i);
        text.append('\n');
      }
      Files.writeString(folder.resolve("file-" + i), text);
    }
    byte[] noise = new byte[3 << 20];
    random.nextBytes(noise);
    Files.write(site.log("fills-segments"), noise);
  }

  private static List<Path> objects(Site site) throws IOException {
    return Site.files(site.archive());
  }

  private void shipAndRestore(
      int files, List<String> shipOptions, List<String> restoreOptions, List<String> compactOptions)
      throws Exception {
    try (Site site = new Site(directory)) {
      write(site, files);
      List<String> options = new ArrayList<>(List.of("--packs", "on", "--segment-size", "1MiB"));
      options.addAll(List.of("--signing-key-file", "agent.key"));
      options.addAll(shipOptions);
      String trusted =
          "web-1 "
              + signingKey(site, "agent.key")
              + "\ncompactor night "
              + signingKey(site, "compactor.key")
              + "\n";
      Files.writeString(site.base().resolve("trusted"), trusted);
      List<String> reading = new ArrayList<>(List.of("--trust", "trusted"));
      reading.addAll(restoreOptions);
      Packaged.Run ship = site.shipOnce(options.toArray(String[]::new));
      assertEquals(0, ship.exitCode(), ship.err());
      assertTrue(objects(site).size() < files / 20, "objects: " + objects(site).size());
      site.restoreAndCompare(reading.toArray(String[]::new));
      readWithPython(site, reading);
      compact(site, compactOptions);
      site.restoreAndCompare(reading.toArray(String[]::new));
      readWithPython(site, reading);
      Packaged.Run again = site.shipOnce(options.toArray(String[]::new));
      assertEquals(0, again.exitCode(), again.err());
      if (!options.contains("--encrypt-to")) { // Else the content key is lost, too.
        loseTheStateAndTrust(site, options, reading);
      }
    }
  }

  /** The pack that the compactor made counts for the agent if that is named. */
  private void loseTheStateAndTrust(Site site, List<String> options, List<String> reading)
      throws Exception {
    Files.move(site.base().resolve("state"), site.base().resolve("lost-1"));
    List<String> trusting = new ArrayList<>(options);
    trusting.addAll(List.of("--trusted-keys", "trusted"));
    Packaged.Run named = site.shipOnce(trusting.toArray(String[]::new));
    assertEquals(0, named.exitCode(), named.err());
    assertFalse(named.err().contains("cannot be trusted"), named.err());
    Files.move(site.base().resolve("state"), site.base().resolve("lost-2"));
    Packaged.Run unnamed = site.shipOnce(options.toArray(String[]::new));
    assertEquals(0, unnamed.exitCode(), unnamed.err());
    assertTrue(unnamed.err().contains("cannot be trusted"), unnamed.err());
    assertTrue(unnamed.err().contains("trusted_keys"), unnamed.err());
    site.restoreAndCompare(reading.toArray(String[]::new));
  }

  /** Makes a pair of keys; returns the public one. */
  private static String signingKey(Site site, String file) throws Exception {
    Packaged.Run keygen = site.tailwater("keygen", "--signing", "-o", file);
    assertEquals(0, keygen.exitCode(), keygen.err());
    return keygen.err().strip().replace("Public key: ", "");
  }

  private static void compact(Site site, List<String> options) throws Exception {
    long before = packs(site);
    List<String> command = new ArrayList<>(List.of("compact", "archive", "--older", "0s"));
    command.addAll(List.of("--signing-key-file", "compactor.key", "--trust", "trusted"));
    command.addAll(options);
    Packaged.Run compact = site.tailwater(command.toArray(String[]::new));
    assertEquals(0, compact.exitCode(), compact.err());
    assertTrue(compact.err().contains("became 1,"), compact.err());
    assertTrue(before > 1 && packs(site) == 1, before + " packs became " + packs(site));
  }

  private static long packs(Site site) throws IOException {
    return objects(site).stream().filter(object -> object.toString().contains("~packs")).count();
  }

  private static void readWithPython(Site site, List<String> options) throws Exception {
    for (String program : List.of("zstd", "age", "python3")) {
      assumeTrue(Files.isExecutable(Path.of("/usr/bin", program)), program + " is not installed");
    }
    Packaged.Run module =
        Packaged.run(
            site.base(), Map.of(), List.of("/usr/bin/python3", "-c", "import cryptography"));
    assumeTrue(module.exitCode() == 0, "the Python module cryptography is not installed");
    List<String> command =
        new ArrayList<>(
            List.of(
                "/usr/bin/python3",
                READER.toAbsolutePath().toString(),
                site.archive().toString(),
                "read-by-python"));
    command.addAll(options);
    Packaged.Run read = Packaged.run(site.base(), Map.of(), command);
    assertEquals(0, read.exitCode(), read.err());
    assertTrue(read.out().contains("files=" + Site.files(site.logs()).size() + " "), read.out());
    Path restored = site.base().resolve("read-by-python");
    for (Path file : Site.files(site.logs())) {
      assertArrayEquals(
          Files.readAllBytes(file),
          Files.readAllBytes(restored.resolve("." + file.toAbsolutePath())),
          file.toString());
    }
  }

  @Test
  void thousandsOfShortFilesFitAFewObjects() throws Exception {
    shipAndRestore(3_000, List.of(), List.of(), List.of());
  }

  /** By default the agent makes packs, and the key of their directories is lost with its state. */
  @Test
  void encryptedFilesAreDeliveredAgainWhenTheStateIsLost() throws Exception {
    String recipient = StandardToolsTest.keygen(directory, "key.txt");
    try (Site site = new Site(directory)) {
      for (int i = 0; i < 100; i++) {
        Files.writeString(site.log("file-" + i), "file " + i + "\n");
      }
      Packaged.Run first = site.shipOnce("--encrypt-to", recipient);
      assertEquals(0, first.exitCode(), first.err());
      assertTrue(objects(site).size() < 50, "objects: " + objects(site).size());
      Files.move(site.base().resolve("state"), site.base().resolve("lost-state"));
      Files.writeString(site.log("file-1"), "truncated\n");
      Files.writeString(site.log("file-2"), "longer\n", StandardOpenOption.APPEND);
      Packaged.Run second = site.shipOnce("--encrypt-to", recipient);
      assertEquals(0, second.exitCode(), second.err());
      assertTrue(second.err().contains("content_check_key_file"), second.err());
      site.restoreAndCompare("--identity", "key.txt");
      Packaged.Run verify = site.tailwater("verify", "archive", "--identity", "key.txt");
      assertEquals(0, verify.exitCode(), verify.err());
      Packaged.Run third = site.shipOnce("--encrypt-to", recipient);
      assertEquals(0, third.exitCode(), third.err());
      assertFalse(third.err().contains("content_check_key_file"), third.err());
    }
  }

  @Test
  void theyDoWhenTheyAreEncrypted() throws Exception {
    String recipient = StandardToolsTest.keygen(directory, "key.txt");
    shipAndRestore(
        1_000,
        List.of("--encrypt-to", recipient),
        List.of("--identity", "key.txt"),
        List.of("--identity", "key.txt", "--recipient", recipient));
  }

  @Test
  void whatPacksCannotBeIsRefusedBeforeAnythingIsDone() throws Exception {
    try (Site site = new Site(directory)) {
      Packaged.Run run = site.shipOnce("--packs", "on", "--compress", "gzip:1");
      assertEquals(2, run.exitCode(), run.err());
      assertTrue(run.err().contains("packs"), run.err());
    }
  }
}
