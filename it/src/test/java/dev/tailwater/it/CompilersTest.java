package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With which compilers the launcher starts a command: ciphers need the second one. */
class CompilersTest {
  private static final String FIRST_ONLY = "-XX:TieredStopAtLevel=1";

  /** The second compiler waits, since most commands are over before it pays. */
  private static final String LATE = "-XX:Tier4InvocationThreshold=50000";

  private static final String NO_REPLAY = "-XX:-AOTReplayTraining";

  /** Loops over thousands of entries are compiled early. */
  private static final String EARLY_LOOPS = "-XX:Tier3BackEdgeThreshold=";

  @TempDir private Path directory;

  private String optionsOf(String arguments) throws Exception {
    Path script = Packaged.built("tailwater.root").resolve("cli/src/main/dist/lib/jvm-options.sh");
    List<String> command =
        new ArrayList<>(List.of("sh", "-euc", ". \"$0\"; jvm_options \"$@\"; echo \"$options\""));
    command.add(script.toString());
    command.addAll(List.of(arguments.split(" ")));
    Packaged.Run run = Packaged.run(directory, Map.of(), command);
    assertEquals("", run.err());
    return run.out();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "restore archive out",
        "restore --owner --only *.log archive out",
        "restore /mnt/archive out --dry-run"
      })
  void ofAPlainArchiveInADirectoryItIsTheFirst(String arguments) throws Exception {
    assertTrue(optionsOf(arguments).contains(FIRST_ONLY));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "restore --identity key.txt archive out",
        "restore --identity=key.txt archive out",
        "restore archive out --trust trusted",
        "restore --trust=ed25519:x archive out",
        "restore s3://bucket/archive out",
        "restore web.yaml out",
        "restore web.yml out"
      })
  void whereKeysOrServersAreNamedItIsBoth(String arguments) throws Exception {
    assertFalse(optionsOf(arguments).contains(FIRST_ONLY));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ship logs archive",
        "restore --identity key.txt archive out",
        "verify archive",
        "cat archive a.log",
        "compact archive",
        "status",
        "demo"
      })
  void whereBothAreUsedTheSecondWaits(String arguments) throws Exception {
    assertTrue(optionsOf(arguments).contains(LATE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ls archive", "ls --identity key.txt archive", "restore archive out"})
  void loopsOfReadersWithTheFirstAloneAreCompiledEarly(String arguments) throws Exception {
    String options = optionsOf(arguments);
    assertTrue(options.contains(FIRST_ONLY), options);
    assertTrue(options.contains(EARLY_LOOPS), options);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ship logs archive", "restore --identity key.txt archive out"})
  void loopsOfOthersAreNot(String arguments) throws Exception {
    assertFalse(optionsOf(arguments).contains(EARLY_LOOPS));
  }

  /** The lab measures what the JVM does for other programs. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ship logs archive",
        "restore archive out",
        "restore --trust trusted archive out",
        "verify archive",
        "cat archive a.log",
        "ls archive",
        "compact archive",
        "demo",
        "status",
        "check t.yaml",
        "--version"
      })
  void onlyTheLabCompilesAtOnceWhatWasHotInTheTraining(String arguments) throws Exception {
    assertTrue(optionsOf(arguments).contains(NO_REPLAY));
    assertFalse(optionsOf("lab run").contains(NO_REPLAY));
  }
}
