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
 * The programs in the guide's page on file I/O run as they stand there, with nothing but the {@code
 * io} library on the class path. Each begins with a line {@code // Name.java ARGUMENTS}, in which
 * FILE and DIRECTORY stand for what is there and TARGET for what is to be made.
 */
class GuideCodeTest {
  private static final int FILE_BYTES = 3 * 1024 * 1024;
  private static final Pattern PROGRAM =
      Pattern.compile("```java\n// (\\w+\\.java)([^\n]*)\n(.*?)```", Pattern.DOTALL);

  @TempDir private Path directory;

  private record Program(String fileName, List<String> arguments, String text) {}

  private static List<Program> programs() throws IOException {
    Path page = Packaged.built("tailwater.root").resolve("docs/guide/fast-file-io.md");
    List<Program> programs = new ArrayList<>();
    Matcher matcher = PROGRAM.matcher(Files.readString(page));
    while (matcher.find()) {
      List<String> arguments =
          Stream.of(matcher.group(2).trim().split(" ")).filter(word -> !word.isEmpty()).toList();
      programs.add(new Program(matcher.group(1), arguments, matcher.group(3)));
    }
    return programs;
  }

  @Test
  void everyRoomOfTheLibraryHasAProgram() throws Exception {
    assertEquals(
        Set.of("Mount", "Copy", "Gather", "Sum", "Look", "Watch", "Stage", "Scatter"),
        programs().stream()
            .map(program -> program.fileName().replace(".java", ""))
            .collect(Collectors.toSet()));
  }

  @TestFactory
  Stream<DynamicTest> runsAsItStandsThere() throws Exception {
    return programs().stream()
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
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath(),
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

  /** The library and what it stands on: posix, and the annotations of JSpecify. */
  private static String classPath() {
    Path lib = Packaged.built("tailwater.distribution").resolve("lib");
    try (Stream<Path> jars = Files.list(lib)) {
      return jars.map(Path::toString)
          .filter(name -> name.matches(".*/(tailwater-(io|posix)|jspecify)-[^/]*\\.jar"))
          .collect(Collectors.joining(":"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
