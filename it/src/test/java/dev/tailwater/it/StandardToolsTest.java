package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was shipped opens with the tools that every system has. */
class StandardToolsTest {
  private static final byte[] CONTENT = new byte[3_000_000];

  @TempDir private Path directory;

  @BeforeEach
  void writeContent() {
    new Random(7).nextBytes(CONTENT);
  }

  private static void assumeInstalled(String... programs) {
    for (String program : programs) {
      assumeTrue(Files.isExecutable(Path.of("/usr/bin", program)), program + " is not installed");
    }
  }

  /** What a shell command makes of each segment, one after the other. */
  private byte[] opened(Site site, String command) throws Exception {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    Path out = site.base().resolve("opened");
    for (Path segment : site.segments()) {
      Process process =
          new ProcessBuilder("sh", "-c", command, "sh", segment.toString())
              .directory(site.base().toFile())
              .redirectOutput(out.toFile())
              .redirectError(site.base().resolve("tool.txt").toFile())
              .start();
      assertEquals(0, process.waitFor(), Packaged.text(site.base().resolve("tool.txt")));
      all.writeBytes(Files.readAllBytes(out));
    }
    return all.toByteArray();
  }

  private Site shipped(String... options) throws Exception {
    Site site = new Site(directory);
    Files.write(site.log("data.bin"), CONTENT);
    Packaged.Run ship = site.shipOnce(options);
    assertEquals(0, ship.exitCode(), ship.err());
    assertTrue(site.segments().size() > 1, "segments: " + site.segments());
    return site;
  }

  @Test
  void zstdOpensASegment() throws Exception {
    assumeInstalled("zstd");
    try (Site site = shipped("--segment-size", "1MiB")) {
      assertArrayEquals(CONTENT, opened(site, "zstd -d -q -c \"$1\""));
    }
  }

  @Test
  void gzipOpensASegment() throws Exception {
    try (Site site = shipped("--segment-size", "1MiB", "--compress", "gzip:1")) {
      assertArrayEquals(CONTENT, opened(site, "gzip -d -c < \"$1\""));
    }
  }

  @Test
  void ageAndZstdOpenAnEncryptedSegment() throws Exception {
    assumeInstalled("age", "zstd");
    String recipient = keygen(directory, "key.txt");
    try (Site site = shipped("--segment-size", "1MiB", "--encrypt-to", recipient)) {
      assertArrayEquals(CONTENT, opened(site, "age -d -i key.txt \"$1\" | zstd -d -q -c"));
      site.restoreAndCompare("--identity", "key.txt");
    }
  }

  @Test
  void tailwaterShipsToAKeyThatAgeMade() throws Exception {
    assumeInstalled("age-keygen");
    Packaged.Run made =
        Packaged.run(directory, Map.of(), List.of("/usr/bin/age-keygen", "-o", "age-key.txt"));
    String recipient = made.err().substring(made.err().indexOf("age1")).strip();
    try (Site site = shipped("--segment-size", "1MiB", "--encrypt-to", recipient)) {
      site.restoreAndCompare("--identity", "age-key.txt");
    }
  }

  /** Makes a key file; returns the public key. */
  static String keygen(Path directory, String file) throws IOException, InterruptedException {
    Packaged.Run keygen =
        Packaged.run(directory, Map.of(), List.of(Packaged.launcher(), "keygen", "-o", file));
    assertEquals(0, keygen.exitCode(), keygen.err());
    return keygen.err().substring(keygen.err().indexOf("age1")).strip();
  }
}
