package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The program starts on machines and in images whose {@code JAVA_TOOL_OPTIONS} are meant for larger
 * Java programs.
 */
class OtherJavaOptionsTest {
  private static final String VARIABLE = "JAVA_TOOL_OPTIONS";

  private static final List<String> COMMANDS =
      List.of(
          "ship logs archive",
          "restore archive out",
          "restore --trust trusted archive out",
          "verify archive",
          "ls archive",
          "compact archive",
          "status",
          "check t.yaml");

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-XX:+UseG1GC",
        "-XX:+UseParallelGC",
        "-XX:+UseZGC",
        "-Xms2g -Xmx4g",
        "-Xmn600m",
        "-XX:NewSize=300m",
        "-XX:MaxNewSize=10m"
      })
  void choosesItsCollectorAndTheSizesOfItsHeap(String options) throws Exception {
    Path script = Packaged.built("tailwater.root").resolve("cli/src/main/dist/lib/jvm-options.sh");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    for (String command : COMMANDS) {
      List<String> shell =
          new ArrayList<>(
              List.of(
                  "sh",
                  "-euc",
                  ". \"$0\"; jvm_options \"$@\"; exec \"$JAVA\" $options -version",
                  script.toString()));
      shell.addAll(List.of(command.split(" ")));
      Packaged.Run run = Packaged.run(directory, Map.of(VARIABLE, options, "JAVA", java), shell);
      assertEquals(0, run.exitCode(), command + ": " + run.err());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-Xshare:off",
        "-XX:SharedArchiveFile=none.jsa",
        "-XX:AOTCache=none.aot",
        "-Xms2g"
      })
  void startsWithoutItsCacheWhereAnotherOneOrNoneIsWanted(String options) throws Exception {
    Packaged.Run run =
        Packaged.run(
            directory, Map.of(VARIABLE, options), List.of(Packaged.launcher(), "--version"));
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().startsWith("tailwater "), run.out());
  }
}
