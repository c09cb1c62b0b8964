package dev.tailwater.io.copy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real build script, with the compilers of this machine and without them. */
class NativeBuildTest {
  private static final Path SCRIPT = Path.of("src", "main", "native", "build.sh");

  @TempDir Path directory = Path.of("");

  private Path script = SCRIPT;

  private record Result(int exitCode, String output) {}

  @BeforeEach
  void find() {
    script =
        Stream.of(SCRIPT, Path.of("io").resolve(SCRIPT))
            .filter(Files::exists)
            .findFirst()
            .orElseThrow()
            .toAbsolutePath();
  }

  private Result build(Path output, Map<String, String> environment)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder("/bin/sh", script.toString(), output.toString())
            .directory(directory.toFile())
            .redirectErrorStream(true);
    builder.environment().remove("CC");
    builder.environment().putAll(environment);
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), text);
  }

  private static List<Path> files(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private static void script(Path path, String command) throws IOException {
    Files.writeString(path, "#!/bin/sh\n" + command + "\n");
    assertTrue(path.toFile().setExecutable(true));
  }

  @Test
  void withoutACompilerItSaysSoAndAllIsWell() throws Exception {
    Path tools = Files.createDirectory(directory.resolve("bin"));
    for (String tool : List.of("dirname", "mkdir", "mv", "rm")) {
      Path real = Path.of("/usr/bin", tool);
      script(
          tools.resolve(tool),
          "exec %s \"$@\"".formatted(Files.exists(real) ? real : Path.of("/bin", tool)));
    }
    Path output = directory.resolve("output");
    Result result = build(output, Map.of("PATH", tools.toString()));
    assertEquals(0, result.exitCode(), result.output());
    assertEquals(1, result.output().lines().count(), result.output());
    assertTrue(result.output().contains("there is no C compiler"), result.output());
    assertEquals(List.of(), files(output));
  }

  @Test
  void aCompilerThatIsNotThereOrFailsBreaksNoBuild() throws Exception {
    Path output = directory.resolve("output");
    requireLeftOut(
        build(output, Map.of("CC", "no-such-compiler")),
        "there is no compiler no-such-compiler (from the variable CC)");
    Path broken = directory.resolve("broken");
    script(broken, "echo nothing works >&2; exit 7");
    requireLeftOut(build(output, Map.of("CC", broken.toString())), "-dumpmachine fails");
    script(
        broken,
        "[ $1 = -dumpmachine ] && echo x86_64-linux-gnu && exit\n"
            + "echo In a file: >&2; echo 'fatal error: stdlib.h: No such file' >&2; exit 1");
    requireLeftOut(build(output, Map.of("CC", broken.toString())), "error: stdlib.h: No such file");
    assertEquals(List.of(), files(output));
  }

  private static void requireLeftOut(Result result, String reason) {
    assertEquals(0, result.exitCode(), result.output());
    assertEquals(1, result.output().lines().count(), result.output());
    assertTrue(result.output().contains("not built, "), result.output());
    assertTrue(result.output().contains(reason), result.output());
  }

  @Test
  void aLibraryOfAnotherSourceDoesNotStayWhenTheNewOneCannotBeCompiled() throws Exception {
    Path output = directory.resolve("output");
    Path broken = directory.resolve("broken");
    script(broken, "[ $1 = -dumpmachine ] && echo x86_64-linux-gnu && exit; exit 7");
    Path old = output.resolve("META-INF/native/linux-x86_64/libtailwater-copy.so");
    Files.createDirectories(old.getParent());
    Files.createFile(old);
    Files.setLastModifiedTime(old, FileTime.fromMillis(0));
    requireLeftOut(build(output, Map.of("CC", broken.toString())), "does not compile");
    assertEquals(List.of(), files(output));
  }

  @Test
  void theSameSourceGivesTheSameBytesAndIsBuiltOnce() throws Exception {
    Path first = directory.resolve("first");
    Result built = build(first, Map.of());
    assumeTrue(!built.output().contains("not built"), built.output());
    assertEquals(0, built.exitCode(), built.output());
    Result again = build(first, Map.of());
    assertEquals(new Result(0, ""), again);
    Path second = directory.resolve("other place").resolve("second");
    assertEquals(0, build(second, Map.of()).exitCode());
    Path library = files(first).getFirst();
    assertEquals(List.of(library), files(first));
    assertArrayEquals(
        Files.readAllBytes(library), Files.readAllBytes(second.resolve(first.relativize(library))));
  }
}
