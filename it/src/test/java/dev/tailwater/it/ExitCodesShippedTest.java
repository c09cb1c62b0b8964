package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the packaged program ends with where that is up to the JVM and to the environment. */
class ExitCodesShippedTest {
  /** Writes to a pipe that has no reader from its first byte on. */
  private static final String INTO_CLOSED_PIPE =
      "mkfifo pipe; exec 3<> pipe 4> pipe 3<&-; exec \"$@\" >&4";

  @TempDir private Path directory;

  @Test
  void outOfMemoryIsAFailureAndNotSuccessInPart() throws Exception {
    byte[] block = new byte[1 << 20];
    new Random(7).nextBytes(block);
    Files.createDirectory(directory.resolve("logs"));
    for (int i = 0; i < 32; i++) {
      Files.write(directory.resolve("logs/" + i), block);
    }
    Packaged.Run run =
        Packaged.run(
            directory,
            Map.of("TAILWATER_JAVA_OPTS", "-XX:AOTMode=off -Xms2m -Xmn1m -Xmx16m"),
            List.of(Packaged.launcher(), "ship", "--once", "--state", "state", "logs", "archive"));
    assertEquals(1, run.exitCode(), run.out() + run.err());
    assertTrue(run.err().contains("tailwater: out of memory"), run.err());
  }

  /** Some of these are installed on most machines, and translate what the kernel says. */
  @Test
  void aClosedPipeIsKnownInEveryLanguage() throws Exception {
    Packaged.Run run =
        Packaged.run(
            directory,
            Map.of("LANGUAGE", "de:fr:es:ja:pl:pt_BR:zh_CN"),
            List.of("sh", "-c", INTO_CLOSED_PIPE, "sh", Packaged.launcher(), "--version"));
    assertEquals(141, run.exitCode(), run.err());
    assertEquals("", run.err());
  }
}
