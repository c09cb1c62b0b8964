package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A start runs the classes of the JARs that are there, not those of which the start-up cache was
 * made. Here the JARs lack a class, without which no start succeeds.
 */
class ReplacedJarsTest {
  private static final String NEEDED = "dev/tailwater/cli/host/Version.class";
  private static final FileTime LONG_AGO = FileTime.fromMillis(1_700_000_000_000L);

  @TempDir private Path directory;
  private Path lib;
  private Path jar;

  @BeforeEach
  void unpack() throws Exception {
    lib = Packaged.copyInto(directory).resolve("lib");
    try (Stream<Path> files = Files.list(lib)) {
      jar =
          files
              .filter(file -> file.getFileName().toString().matches("tailwater-cli-.*[.]jar"))
              .findFirst()
              .orElseThrow();
    }
    Packaged.Run unchanged = version();
    assertEquals(0, unchanged.exitCode(), unchanged.err());
  }

  private Packaged.Run version() throws Exception {
    Path home = directory.resolve("jdk");
    Path jdk = Files.exists(home) ? home : QuickCacheJvm.in(home);
    return Packaged.run(
        directory,
        Map.of("TAILWATER_JAVA_HOME", jdk.toString()),
        List.of(directory.resolve("tailwater/bin/tailwater").toString(), "--version"));
  }

  private void removeNeededClass() throws IOException {
    try (FileSystem zip = FileSystems.newFileSystem(URI.create("jar:" + jar.toUri()), Map.of())) {
      Files.delete(zip.getPath(NEEDED));
    }
  }

  private void requireNewClasses() throws Exception {
    Packaged.Run run = version();
    assertNotEquals(0, run.exitCode(), "it has run what is in no JAR any more: " + run.out());
    assertFalse(run.out().contains("tailwater 0"), run.out());
  }

  @Test
  void oneThatIsNewerThanTheCacheIsRun() throws Exception {
    removeNeededClass();
    requireNewClasses();
  }

  /** A machine whose clock is behind has JARs of the future. */
  @Test
  void oneOfTheFutureMakesOneCacheAndNotOneAtEachStart() throws Exception {
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plus(Duration.ofDays(1))));
    Object packed = cache();
    assertEquals(0, version().exitCode());
    Object made = cache();
    assertNotEquals(packed, made);
    assertEquals(0, version().exitCode());
    assertEquals(made, cache());
  }

  /** Which file the cache is. */
  private Object cache() throws IOException {
    return Files.readAttributes(lib.resolve("tailwater.aot"), BasicFileAttributes.class).fileKey();
  }

  @Test
  void oneThatIsReplacedWhileTheCacheIsMadeIsRun() throws Exception {
    Files.delete(lib.resolve("tailwater.aot.jvm"));
    Path java = directory.resolve("jdk/bin/java");
    // As somebody who replaces it meanwhile, with the time of the build.
    String real = Files.readString(java);
    Files.writeString(java, real.replace("exec head", "touch '" + jar + "'; exec head"));
    assertEquals(0, version().exitCode());
    Files.writeString(java, real);
    Object made = cache();
    assertEquals(0, version().exitCode());
    assertNotEquals(made, cache());
  }

  @Test
  void oneWithAnotherNameIsRunHoweverOldItIs() throws Exception {
    removeNeededClass();
    Files.setLastModifiedTime(jar, LONG_AGO);
    Files.move(jar, lib.resolve("tailwater-cli-0.0.9.jar"));
    requireNewClasses();
  }

  @Test
  void thoseOfAnotherBuildAreRunHoweverOldTheyAre() throws Exception {
    removeNeededClass();
    Files.setLastModifiedTime(jar, LONG_AGO);
    Files.writeString(lib.resolve("tailwater.build"), "that of another build\n");
    requireNewClasses();
  }
}
