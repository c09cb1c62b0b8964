package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code ./tailwater} builds when it must and only then. The sources are a small tree, and the
 * build is a script that counts how often it is called.
 */
class LauncherTest {
  private static final String BUILD =
      """
      #!/bin/sh
      cd "$(dirname "$0")"
      echo build >> builds
      [ ! -e broken ] || { echo '[ERROR] it is broken'; exit 1; }
      echo '[INFO] Building Tailwater posix 0.1.0     [1/1]'
      sleep 0.3
      mkdir -p cli/target/distribution/tailwater-0.1.0/bin
      printf '#!/bin/sh\\necho started "$@"\\n' > cli/target/distribution/tailwater-0.1.0/bin/tailwater
      chmod +x cli/target/distribution/tailwater-0.1.0/bin/tailwater
      """;

  @TempDir private Path root;

  @BeforeEach
  void makeTree() throws IOException {
    Path real = Packaged.built("tailwater.root");
    for (String script :
        new String[] {
          "tailwater", "cli/src/main/packaging/build.sh", "cli/src/main/dist/lib/find-jdk.sh"
        }) {
      Files.createDirectories(root.resolve(script).getParent());
      Files.copy(real.resolve(script), root.resolve(script));
    }
    executable("mvnw", BUILD);
    executable("bin/mvn", "#!/bin/sh\nexit 0\n");
    executable("tailwater", Files.readString(real.resolve("tailwater")));
    Files.writeString(root.resolve("pom.xml"), "<project/>");
    Files.writeString(root.resolve("cli/pom.xml"), "<project/>");
    Files.writeString(root.resolve("cli/src/main/Source.java"), "class Source {}");
  }

  @Test
  void buildsOnFirstUseSaysSoAndStartsAtOnceLater() throws Exception {
    Packaged.Run first = tailwater("ls", "a b");
    assertEquals(0, first.exitCode(), first.err());
    assertEquals("started ls a b\n", first.out());
    assertTrue(first.err().contains("first use, building"), first.err());
    assertTrue(first.err().contains("[1/1] posix"), first.err());
    Packaged.Run second = tailwater("ls");
    assertEquals("started ls\n", second.out());
    assertEquals("", second.err());
    assertEquals(1, builds());
  }

  @Test
  void buildsAgainWhenASourceIsNewer() throws Exception {
    tailwater();
    touch("cli/src/main/Source.java");
    Packaged.Run run = tailwater();
    assertTrue(run.err().contains("the sources have changed"), run.err());
    tailwater();
    assertEquals(2, builds());
  }

  @Test
  void buildsAgainWhenASourceOfAModuleWithinAModuleIsNewer() throws Exception {
    Path source = root.resolve("store/datafile/src/main/Other.java");
    Files.createDirectories(source.getParent());
    Files.writeString(source, "class Other {}");
    tailwater();
    touch("store/datafile/src/main/Other.java");
    tailwater();
    assertEquals(2, builds());
  }

  @Test
  void buildsAgainWhenASourceIsGone() throws Exception {
    Files.writeString(root.resolve("cli/src/main/Other.java"), "class Other {}");
    tailwater();
    Files.delete(root.resolve("cli/src/main/Other.java"));
    touch("cli/src/main");
    tailwater();
    assertEquals(2, builds());
  }

  @Test
  void buildsAgainWhenTheLastBuildHasNoStamp() throws Exception {
    tailwater();
    Files.delete(root.resolve(".launcher/stamp"));
    Packaged.Run run = tailwater("ls");
    assertEquals("started ls\n", run.out());
    assertEquals(2, builds());
    assertTrue(Files.exists(root.resolve(".launcher/stamp")), "there is a stamp again");
  }

  @Test
  void doesNotStartWhatAKilledBuildLeft() throws Exception {
    // The process that runs Maven is killed: whoever waits for its output sees only its end.
    executable("mvnw", BUILD.replace("chmod", "kill -KILL $PPID; chmod"));
    Packaged.Run run = tailwater();
    assertEquals(1, run.exitCode(), run.out());
    assertTrue(run.err().contains("the build failed"), run.err());
    executable("mvnw", BUILD);
    assertEquals("started\n", tailwater().out());
  }

  @Test
  void buildsAgainWhenTheBuildWasKilled() throws Exception {
    executable("mvnw", BUILD.replace("sleep 0.3", "touch here; sleep 60"));
    Process first = start();
    try {
      Site.await("the build runs", () -> Files.exists(root.resolve("here")));
    } finally {
      List<ProcessHandle> parts = first.descendants().toList();
      first.destroyForcibly().waitFor();
      parts.forEach(ProcessHandle::destroyForcibly);
      parts.forEach(part -> part.onExit().join());
    }
    executable("mvnw", BUILD);
    assertEquals("started\n", tailwater().out());
    assertEquals(2, builds());
  }

  @Test
  void aFailedBuildSaysWhyAndIsTriedAgain() throws Exception {
    Files.createFile(root.resolve("broken"));
    Packaged.Run run = tailwater();
    assertEquals(1, run.exitCode());
    assertEquals("", run.out());
    assertTrue(run.err().contains("[ERROR] it is broken"), run.err());
    assertTrue(run.err().contains("Hint: "), run.err());
    Files.delete(root.resolve("broken"));
    assertEquals("started\n", tailwater().out());
  }

  @Test
  void twoAtTheSameTimeBuildOnce() throws Exception {
    CompletableFuture<Packaged.Run> other = CompletableFuture.supplyAsync(this::unchecked);
    Packaged.Run one = tailwater();
    assertEquals(0, one.exitCode(), one.err());
    assertEquals(0, other.get().exitCode(), other.get().err());
    assertEquals(1, builds());
  }

  private Packaged.Run unchecked() {
    try {
      return tailwater();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private Packaged.Run tailwater(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(root.resolve("tailwater").toString()));
    command.addAll(List.of(arguments));
    return Packaged.run(root, environment(), command);
  }

  private Process start() throws IOException {
    ProcessBuilder builder = new ProcessBuilder(root.resolve("tailwater").toString());
    builder.environment().putAll(environment());
    return builder.redirectErrorStream(true).redirectOutput(root.resolve("said").toFile()).start();
  }

  private Map<String, String> environment() {
    String path = root.resolve("bin") + ":" + System.getenv("PATH");
    return Map.of("PATH", path, "JAVA_HOME", System.getProperty("java.home"));
  }

  private long builds() throws IOException {
    return Files.readAllLines(root.resolve("builds")).size();
  }

  private void touch(String name) throws IOException {
    // Ahead of the clock, since the times of two files may be the same otherwise.
    Files.setLastModifiedTime(root.resolve(name), FileTime.from(Instant.now().plusMillis(100)));
    long until = System.nanoTime() + 200_000_000L;
    while (System.nanoTime() < until) {
      Thread.onSpinWait();
    }
  }

  private void executable(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
