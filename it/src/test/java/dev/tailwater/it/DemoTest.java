package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo of the README. */
class DemoTest {
  @TempDir private Path directory;

  @Test
  void killsTheAgentRestoresEveryByteAndCleansUpOnASlimMachine() throws Exception {
    Path temporary = Files.createDirectory(directory.resolve("tmp"));
    Map<String, String> environment =
        new HashMap<>(SlimMachine.environment(directory.resolve("bin")));
    environment.put("TAILWATER_JAVA_OPTS", "-Djava.io.tmpdir=" + temporary);
    Packaged.Run run = Packaged.run(directory, environment, List.of(Packaged.launcher(), "demo"));
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().contains("identical  yes"), run.out());
    assertTrue(run.err().contains("killed with SIGKILL"), run.err());
    try (Stream<Path> left = Files.list(temporary)) {
      assertEquals(List.of(), left.toList());
    }
  }
}
