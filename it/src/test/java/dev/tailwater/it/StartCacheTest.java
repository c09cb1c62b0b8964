package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The start-up cache is made when a package is started on another JVM for the first time. */
class StartCacheTest {
  @TempDir private Path directory;
  private Path lib;
  private List<String> version = List.of();

  @BeforeEach
  void unpackForAnotherJvm() throws Exception {
    Path home = Packaged.copyInto(directory);
    lib = home.resolve("lib");
    Files.delete(lib.resolve("tailwater.aot"));
    Files.writeString(lib.resolve("tailwater.aot.jvm"), "JAVA_VERSION=\"99\"\n");
    version = List.of(home.resolve("bin/tailwater").toString(), "--version");
  }

  @Test
  void isMadeOnAMachineWithLittleMoreThanAShell() throws Exception {
    Map<String, String> slim = SlimMachine.environment(directory.resolve("bin"));
    Packaged.Run run = Packaged.run(directory, slim, version);
    assertEquals(0, run.exitCode(), run.err());
    assertEquals("", run.err());
    requireCache();
  }

  @Test
  void isMadeThoughAnEarlierStartWasKilledMeanwhile() throws Exception {
    Process first = new ProcessBuilder(version).directory(directory.toFile()).start();
    try {
      Site.await("the cache is being made", () -> !underWay().isEmpty());
    } finally {
      List<ProcessHandle> java = first.descendants().toList();
      first.destroyForcibly().waitFor();
      java.forEach(ProcessHandle::destroyForcibly);
      for (ProcessHandle process : java) {
        process.onExit().join();
      }
    }
    assertFalse(underWay().isEmpty(), "it was killed too late");
    assertEquals(0, Packaged.run(directory, quickly(), version).exitCode());
    requireCache();
  }

  @Test
  void isLeftToTheProcessThatMakesIt() throws Exception {
    Path maker = lib.resolve(".cache-maker");
    Files.createSymbolicLink(maker, Path.of(identity(ProcessHandle.current().pid())));
    assertEquals(0, Packaged.run(directory, Map.of(), version).exitCode());
    assertFalse(Files.exists(lib.resolve("tailwater.aot")), "it was made twice");
    assertTrue(Files.isSymbolicLink(maker), "another's mark is gone");
  }

  @Test
  void isMadeThoughAnotherProcessHasTheNumberOfTheOneThatBeganIt() throws Exception {
    String earlier = identity(ProcessHandle.current().pid()).replaceFirst("[0-9]+$", "1");
    Files.createSymbolicLink(lib.resolve(".cache-maker"), Path.of(earlier));
    assertEquals(0, Packaged.run(directory, quickly(), version).exitCode());
    requireCache();
  }

  private Map<String, String> quickly() throws IOException {
    return Map.of("TAILWATER_JAVA_HOME", QuickCacheJvm.in(directory.resolve("jdk")).toString());
  }

  private void requireCache() throws IOException {
    assertTrue(Files.size(lib.resolve("tailwater.aot")) > 1 << 20, "no cache was made");
    assertEquals(List.of(), underWay());
  }

  /** What is there only while a cache is made. */
  private List<Path> underWay() throws IOException {
    try (Stream<Path> files = Files.list(lib)) {
      return files.filter(file -> file.getFileName().toString().startsWith(".")).toList();
    }
  }

  /** As the launcher writes it: boot, process id, and when it was started. */
  private static String identity(long pid) throws IOException {
    String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    String[] fromThird = stat.substring(stat.lastIndexOf(") ") + 2).split(" ", -1);
    return boot + ":" + pid + ":" + fromThird[19];
  }
}
