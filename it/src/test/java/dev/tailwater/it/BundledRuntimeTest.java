package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher takes the Java that its package brought. The runtimes here are scripts that say
 * which they are and with what they were called.
 */
class BundledRuntimeTest {
  @TempDir private Path directory;
  private Path home;

  @BeforeEach
  void unpackWithARuntime() throws Exception {
    home = Packaged.copyInto(directory);
    runtime(home.resolve("runtime"), "bundled");
  }

  @Test
  void goesBeforeAnyJdkOfTheMachine() throws Exception {
    Packaged.Run run = run(Map.of("TAILWATER_JAVA_HOME", ""), "ls", "archive");
    assertTrue(run.out().startsWith("bundled "), run.out() + run.err());
    assertTrue(
        run.out().contains("-XX:SharedArchiveFile=" + home + "/lib/tailwater.jsa"), run.out());
    assertTrue(run.out().endsWith("dev.tailwater.cli.Main ls archive\n"), run.out());
    assertFalse(run.out().contains("AOTCache"), run.out());
  }

  @Test
  void givesWayToAnExplicitWish() throws Exception {
    Packaged.Run run =
        run(Map.of("TAILWATER_JAVA_HOME", System.getProperty("java.home")), "--version");
    assertTrue(run.out().startsWith("tailwater "), run.out() + run.err());
  }

  @Test
  void servesTheLabOnlyIfItIsTheLabsOwn() throws Exception {
    Packaged.Run without = run(Map.of("TAILWATER_JAVA_HOME", ""), "lab", "--help");
    assertFalse(without.out().contains("bundled"), "the program's runtime has no plots");
    runtime(home.resolve("lib/plugins/lab/runtime"), "lab's");
    Packaged.Run with = run(Map.of("TAILWATER_JAVA_HOME", ""), "lab", "--help");
    assertTrue(with.out().startsWith("lab's "), with.out() + with.err());
    assertFalse(with.out().contains("SharedArchiveFile"), "the archive is of the other runtime");
    assertFalse(with.out().contains("AOTCache"), "no cache is made for it");
  }

  @Test
  void isNotTakenWhereItCannotBeRun() throws Exception {
    Files.delete(home.resolve("runtime/bin/java"));
    Packaged.Run run = run(Map.of("TAILWATER_JAVA_HOME", ""), "--version");
    assertTrue(run.out().startsWith("tailwater "), run.out() + run.err());
  }

  private Packaged.Run run(Map<String, String> environment, String... arguments) throws Exception {
    List<String> command =
        Stream.concat(Stream.of(home.resolve("bin/tailwater").toString()), Stream.of(arguments))
            .toList();
    return Packaged.run(directory, environment, command);
  }

  private static void runtime(Path runtime, String name) throws IOException {
    Path java = runtime.resolve("bin/java");
    Files.createDirectories(java.getParent());
    Files.writeString(java, "#!/bin/sh\necho \"" + name + " $*\"\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(runtime.resolve("release"), "JAVA_VERSION=\"25.0.3\"\n");
  }
}
