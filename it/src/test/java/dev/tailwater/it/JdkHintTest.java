package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the launcher advises where there is no JDK depends on the distribution. */
class JdkHintTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {"ID=debian\nVERSION_ID=\"12\"", "VERSION_ID=\"11\"\nID=\"debian\"\nNAME=x y"})
  void anOldDebianTakesThePackageOfANewerOne(String release) throws Exception {
    String hint = hint(release);
    assertTrue(hint.contains("-t trixie openjdk-25-jdk-headless"), hint);
    assertTrue(hint.contains("Pin-Priority: 100"), hint);
    assertTrue(hint.contains("TAILWATER_JAVA_HOME"), hint);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ID=debian\nVERSION_ID=\"13\"",
        "PRETTY_NAME=\"Debian GNU/Linux forky/sid\"\nID=debian",
        "ID=ubuntu\nVERSION_ID=\"24.04\"",
        "ID=fedora\nVERSION_ID=42",
        "",
      })
  void othersHaveThePackage(String release) throws Exception {
    String hint = hint(release);
    assertTrue(hint.contains("apt-get install openjdk-25-jdk-headless"), hint);
    assertFalse(hint.contains("trixie"), hint);
    assertTrue(hint.contains("TAILWATER_JAVA_HOME"), hint);
  }

  @Test
  void aMachineThatDoesNotSayWhatItIsGetsAHintToo() throws Exception {
    assertTrue(run(directory.resolve("absent")).contains("openjdk-25-jdk-headless"));
  }

  private String hint(String release) throws Exception {
    return run(Files.writeString(directory.resolve("os-release"), release + "\n"));
  }

  private String run(Path release) throws Exception {
    Path script = Packaged.built("tailwater.root").resolve("cli/src/main/dist/lib/find-jdk.sh");
    Packaged.Run run =
        Packaged.run(
            directory,
            Map.of(),
            List.of("sh", "-euc", ". \"$0\"; jdk_hint \"$1\"", script.toString(), release + ""));
    assertEquals(0, run.exitCode(), run.err());
    assertEquals("", run.err());
    assertTrue(run.out().startsWith("Hint: "), run.out());
    return run.out();
  }
}
