package dev.tailwater.lab.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The man pages that {@code packaging/man} makes. */
class ManPagesTest {
  private static final long LIMIT_SECONDS = 300;

  @TempDir private Path directory;

  /** Writes into the directory of {@code -Dtailwater.man}, from which packaging/man goes on. */
  @Test
  void everyCommandThatUsersSeeHasAPage() throws IOException {
    String wanted = System.getProperty("tailwater.man", "");
    List<Path> pages = ManPages.write(wanted.isEmpty() ? directory : Path.of(wanted));
    List<String> names = pages.stream().map(page -> page.getFileName().toString()).toList();
    for (String name :
        List.of("tailwater", "tailwater-ship", "tailwater-store-get", "tailwater-lab")) {
      assertTrue(names.contains(name + ".adoc"), names.toString());
    }
    assertFalse(names.contains("tailwater-demo-writer.adoc"), names.toString());
  }

  @Test
  void manRendersEveryPageWithoutWarnings() throws IOException, InterruptedException {
    requireProgram("asciidoctor", "asciidoctor");
    requireProgram("man", "man-db");
    List<String> convert =
        new ArrayList<>(
            List.of("asciidoctor", "-b", "manpage", "--failure-level", "WARN", "-D", "out"));
    ManPages.write(directory).forEach(page -> convert.add(page.toString()));
    assertEquals("", run(convert));
    try (var pages = Files.newDirectoryStream(directory.resolve("out"))) {
      for (Path page : pages) {
        assertEquals("", warnings(page), page.getFileName() + " is not rendered without warnings");
      }
    }
    String ship = rendered(directory.resolve("out/tailwater-ship.1"));
    assertTrue(ship.contains("NAME\n       tailwater-ship - Watch files and deliver"), ship);
    assertTrue(ship.contains("On SIGTERM or SIGINT the agent delivers"), ship);
    assertFalse(ship.contains("pass:c"), ship);
    assertTrue(ship.contains("--drain-deadline=DURATION"), ship);
    assertTrue(ship.contains("    tailwater ship /var/log/app /mnt/archive\n"), ship);
    String restore = rendered(directory.resolve("out/tailwater-restore.1"));
    assertTrue(restore.contains("** crosses directories"), restore);
  }

  private String warnings(Path page) throws IOException, InterruptedException {
    return run(List.of("sh", "-c", "man --warnings -l -Tutf8 -Z '" + page + "' 2>&1 > /dev/null"));
  }

  private String rendered(Path page) throws IOException, InterruptedException {
    return run(List.of("man", "-P", "cat", "-l", page.toString()));
  }

  private static void requireProgram(String program, String debianPackage) {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin", program)),
        program + " is not installed (apt-get install " + debianPackage + ")");
  }

  private String run(List<String> command) throws IOException, InterruptedException {
    Path out = Files.createTempFile(directory, "out", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().put("MANWIDTH", "100");
    builder.environment().put("MAN_KEEP_FORMATTING", "");
    Process process = builder.start();
    boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
    process.destroyForcibly();
    String text = Files.readString(out);
    assertTrue(ended && process.exitValue() == 0, command.getFirst() + ": " + text);
    return text;
  }
}
