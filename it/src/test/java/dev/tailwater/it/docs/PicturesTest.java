package dev.tailwater.it.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.it.Packaged;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pictures of the documentation are what their sources say, and show what the program does. */
class PicturesTest {
  private static final Path PICTURES = Pages.root().resolve("docs/pictures");
  private static final String AGAIN =
      "draw it anew: java docs/pictures/Pictures.java, or with --record if the program has changed";

  /** The first words of a line of {@code tailwater status}, and the heads of its table. */
  private static final Pattern LABEL =
      Pattern.compile("^(?:([a-z]+(?: [a-z]+)*)  +\\S.*| *([A-Z]+(?: [A-Z]+)*(?:  +[A-Z ]+)*))$");

  @TempDir private Path directory;

  private static Set<String> pictures(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".svg"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void everyPictureIsWhatItsSourceGives() throws Exception {
    Packaged.Run run =
        Packaged.run(
            Pages.root(),
            Map.of(),
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "docs/pictures/Pictures.java",
                directory.toString()));
    assertEquals(0, run.exitCode(), run.err());
    assertEquals(pictures(directory), pictures(PICTURES));
    for (String name : pictures(PICTURES)) {
      assertEquals(
          Files.readString(directory.resolve(name)),
          Files.readString(PICTURES.resolve(name)),
          name + ": " + AGAIN);
    }
  }

  @Test
  void everyPictureIsOnAPage() throws Exception {
    StringBuilder pages = new StringBuilder();
    for (String page : Pages.all()) {
      pages.append(Pages.text(page));
    }
    for (String name : pictures(PICTURES)) {
      assertTrue(pages.indexOf("pictures/" + name + ")") >= 0, name);
    }
  }

  @Test
  void everyPictureIsDarkOnLightAndLightOnDark() throws Exception {
    for (String name : pictures(PICTURES)) {
      String svg = Files.readString(PICTURES.resolve(name));
      if (svg.contains("var(--ink)")) {
        String dark =
            svg.replaceAll("(?s)@media \\(prefers-color-scheme: dark\\) \\{(.*?)\\}\\s*\\}", "");
        assertTrue(last("ink", dark) < 0x60 && last("page", dark) > 0xe0, name + " in light");
        assertTrue(last("ink", svg) > 0xd0 && last("page", svg) < 0x30, name + " in dark");
      } else {
        assertTrue(svg.contains("fill=\"#0d1117\""), name + " has a ground of its own");
      }
    }
  }

  /** The green of the colour that a name stands for at last: about its brightness. */
  private static int last(String name, String style) {
    return Pattern.compile("--" + name + ": #..(..)..;")
        .matcher(style)
        .results()
        .map(colour -> Integer.parseInt(colour.group(1), 16))
        .reduce((first, second) -> second)
        .orElseThrow();
  }

  @Test
  void statusStillHasTheLinesOfItsPicture() throws Exception {
    Set<String> pictured = labels(Files.readString(PICTURES.resolve("recordings/status.txt")));
    assertFalse(pictured.isEmpty());
    Files.createDirectories(directory.resolve("log"));
    Files.write(directory.resolve("log/a.log"), new byte[3_000_000]);
    Process agent =
        new ProcessBuilder(
                Packaged.launcher(),
                "ship",
                "--agent",
                "web-1",
                "--state",
                "state",
                "--max-at-risk",
                "64MiB,1h",
                "--notices",
                "off",
                "log",
                "archive")
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("messages.txt").toFile())
            .start();
    try {
      while (!Packaged.text(directory.resolve("messages.txt")).contains(" ships to ")) {
        assertTrue(agent.isAlive(), () -> Packaged.text(directory.resolve("messages.txt")));
        Thread.sleep(50);
      }
      Packaged.Run status =
          Packaged.run(
              directory, Map.of(), List.of(Packaged.launcher(), "status", "--state", "state"));
      Set<String> missing = new TreeSet<>(pictured);
      missing.removeAll(labels(status.out()));
      missing.remove("merged"); // Nothing was merged yet.
      assertEquals(Set.of(), missing, AGAIN + "\n" + status.out());
    } finally {
      agent.descendants().forEach(ProcessHandle::destroyForcibly);
      agent.destroyForcibly().onExit().join();
    }
  }

  private static Set<String> labels(String status) {
    return status
        .lines()
        .map(LABEL::matcher)
        .filter(Matcher::matches)
        .map(line -> line.group(1) != null ? line.group(1) : line.group(2).replaceAll(" +", " "))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
