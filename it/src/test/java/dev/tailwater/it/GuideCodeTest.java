package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The programs in the guide's pages on file I/O and on the store run as they stand there, with
 * nothing but the library that the page is about on the class path. Each begins with a line {@code
 * // Name.java ARGUMENTS}, in which FILE and DIRECTORY stand for what is there and TARGET for what
 * is to be made.
 */
class GuideCodeTest {
  private static final int FILE_BYTES = 3 * 1024 * 1024;
  private static final Pattern PROGRAM =
      Pattern.compile("```java\n// (\\w+\\.java)([^\n]*)\n(.*?)```", Pattern.DOTALL);

  @TempDir private Path directory;

  /** A page, and the jars that its programs need beside those of posix and JSpecify. */
  private enum Page {
    FILES("fast-file-io.md", "tailwater-io"),
    STORE("store.md", "tailwater-io|tailwater-store|caffeine");

    private final String fileName;
    private final String jars;

    Page(String fileName, String jars) {
      this.fileName = fileName;
      this.jars = jars;
    }
  }

  private record Program(Page page, String fileName, List<String> arguments, String text) {}

  private static List<Program> programs(Page page) throws IOException {
    Path file = Packaged.built("tailwater.root").resolve("docs/guide").resolve(page.fileName);
    List<Program> programs = new ArrayList<>();
    Matcher matcher = PROGRAM.matcher(Files.readString(file));
    while (matcher.find()) {
      List<String> arguments =
          Stream.of(matcher.group(2).trim().split(" ")).filter(word -> !word.isEmpty()).toList();
      programs.add(new Program(page, matcher.group(1), arguments, matcher.group(3)));
    }
    return programs;
  }

  @Test
  void everyRoomOfTheLibraryHasAProgram() throws Exception {
    assertEquals(
        Set.of("Mount", "Copy", "Gather", "Sum", "Look", "Watch", "Follow", "Stage", "Scatter"),
        programs(Page.FILES).stream()
            .map(program -> program.fileName().replace(".java", ""))
            .collect(Collectors.toSet()));
  }

  @Test
  void everySectionOnTheStoreHasAProgram() throws Exception {
    assertEquals(
        Set.of("First", "Views", "Async", "Reads", "Space"),
        programs(Page.STORE).stream()
            .map(program -> program.fileName().replace(".java", ""))
            .collect(Collectors.toSet()));
  }

  @TestFactory
  Stream<DynamicTest> runsAsItStandsThere() throws Exception {
    return Stream.concat(programs(Page.FILES).stream(), programs(Page.STORE).stream())
        .map(program -> DynamicTest.dynamicTest(program.fileName(), () -> run(program)));
  }

  private void run(Program program) throws Exception {
    Path home = Files.createTempDirectory(directory, "program");
    Files.writeString(home.resolve(program.fileName()), program.text());
    Path file = home.resolve("data");
    byte[] bytes = new byte[FILE_BYTES];
    new SplittableRandom(1).nextBytes(bytes);
    Files.write(file, bytes);
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath(program.page()),
                program.fileName()));
    for (String argument : program.arguments()) {
      command.add(
          switch (argument) {
            case "FILE" -> file.toString();
            case "DIRECTORY" -> home.toString();
            case "TARGET" -> home.resolve("target").toString();
            default -> argument;
          });
    }
    Packaged.Run run = Packaged.run(home, Map.of(), command);
    assertEquals(0, run.exitCode(), run.err());
    assertEquals("", run.err());
    if (program.arguments().contains("TARGET")) {
      assertTrue(Files.size(home.resolve("target")) > 0, "the target is written");
    }
  }

  /** The library and what it stands on. */
  private static String classPath(Page page) {
    Path lib = Packaged.built("tailwater.distribution").resolve("lib");
    try (Stream<Path> jars = Files.list(lib)) {
      return jars.map(Path::toString)
          .filter(
              name -> name.matches(".*/(" + page.jars + "|tailwater-posix|jspecify)-[^/]*\\.jar"))
          .collect(Collectors.joining(":"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
