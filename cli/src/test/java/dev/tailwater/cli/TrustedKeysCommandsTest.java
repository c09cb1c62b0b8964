package dev.tailwater.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The setting {@code trusted_keys}, and an agent without state in an archive of several writers.
 */
class TrustedKeysCommandsTest {
  @TempDir private Path directory;

  @BeforeEach
  void makeFiles() throws IOException {
    Files.createDirectories(directory.resolve("logs"));
    Files.writeString(directory.resolve("logs/a.log"), "first\n");
  }

  private void config(String more) throws IOException {
    Files.writeString(directory.resolve("c.yaml"), "sources: logs\ndestination: archive\n" + more);
  }

  private Trial run(int exitCode, String command) {
    Trial trial = Trial.run(directory, command.split(" "));
    assertEquals(exitCode, trial.exitCode(), trial.err());
    return trial;
  }

  private void append(String text) throws IOException {
    Files.writeString(directory.resolve("logs/a.log"), text, StandardOpenOption.APPEND);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '|',
      value = {
        "|web ed25519:tooShort|, |trusted, line 1: expected 'AGENT ed25519:|",
        "|# nobody|, |trusted: there is no key in this file|",
        "|compactor ed25519:x y|, |trusted, line 1: expected|",
      })
  void checkAndShipSayWhatIsWrongWithTheFile(String content, String why) throws IOException {
    Files.writeString(directory.resolve("trusted"), content);
    config("trusted_keys: trusted\n");
    Trial check = run(2, "check c.yaml");
    assertTrue(check.err().startsWith("c.yaml:3:15: trusted_keys: "), check.err());
    assertTrue(check.err().contains(why), check.err());
    run(2, "ship --once --config c.yaml --state s");
    Trial ship = run(2, "ship --once --state s --trusted-keys trusted logs archive");
    assertTrue(ship.err().contains("trusted keys trusted"), ship.err());
  }

  @Test
  void theFileMustBeThere() throws IOException {
    config("trusted_keys: absent\n");
    assertTrue(run(2, "check c.yaml").err().contains("absent: no such file"));
    config("trusted_keys: logs\n");
    assertTrue(run(2, "check c.yaml").err().contains("logs cannot be read"));
    Trial ship = run(2, "ship --once --state s --trusted-keys absent logs archive");
    assertTrue(ship.err().contains("trusted keys absent: no such file"), ship.err());
  }

  @Test
  void anAgentThatSignsNothingCannotTellItsObjectsFromOthers() throws IOException {
    Files.writeString(directory.resolve("trusted"), "# none\n");
    config("signing: off\ntrusted_keys: trusted\n");
    Trial check = run(2, "check c.yaml");
    assertTrue(check.err().contains("trusted_keys names keys"), check.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"on", "off"})
  void whatSomebodyElseClaimsIsDeliveredAndRestored(String packs) throws Exception {
    String key = publicKeyOf("agent.key");
    String ship = "ship --once --agent web --packs " + packs + " --state ";
    run(0, ship + "s1 --signing-key-file agent.key logs archive");
    append("second\n");
    run(0, ship + "forger --signing off logs archive");
    // What the forger has put there holds nothing.
    try (Stream<Path> all = Files.walk(directory.resolve("archive"))) {
      for (Path object : all.filter(Files::isRegularFile).toList()) {
        byte[] bytes = Files.readAllBytes(object);
        if (object.toString().endsWith(".zst") && !signed(bytes)) {
          bytes[bytes.length - 1] ^= 1;
          bytes[bytes.length - 2] ^= 1;
          Files.write(object, bytes);
        }
      }
    }
    Trial again = run(0, ship + "s2 --signing-key-file agent.key logs archive");
    assertTrue(again.err().contains("cannot be trusted (1 without any signature)"), again.err());
    assertTrue(again.err().contains("trusted_keys"), again.err());
    Trial restore = run(3, "restore archive restored --trust " + key);
    Path file = directory.resolve("logs/a.log");
    assertEquals(
        Files.readString(file),
        Files.readString(directory.resolve("restored").resolve("." + file.toRealPath())),
        restore.err());
  }

  @Test
  void packsAreNotMergedWithAKeyThatReadersDoNotTrust() throws Exception {
    String agent = publicKeyOf("agent.key");
    String own = publicKeyOf("compactor.key");
    String ship = "ship --once --agent web --packs on --state s --signing-key-file agent.key ";
    run(0, ship + "logs archive");
    append("second\n");
    run(0, ship + "logs archive");
    String compact = "compact archive --older 0s --signing-key-file compactor.key --trust ";
    Files.writeString(directory.resolve("trusted"), "web " + agent + "\n");
    for (String trust : List.of(agent, "trusted", "trusted --agent web", "trusted --dry-run")) {
      Trial refused = run(2, compact + trust);
      assertTrue(refused.err().contains("compactor NAME " + own), refused.err());
      run(0, "verify archive --trust trusted");
    }
    Files.writeString(
        directory.resolve("trusted"), "web " + agent + "\ncompactor night " + own + "\n");
    run(0, compact + "trusted");
    run(0, "verify archive --trust trusted");
    run(0, "compact archive --older 0s --signing-key-file agent.key --trust trusted");
  }

  private String publicKeyOf(String newFile) {
    return run(0, "keygen --signing -o " + newFile).err().strip().replace("Public key: ", "");
  }

  private static boolean signed(byte[] object) {
    return new String(object, StandardCharsets.ISO_8859_1).contains("TWSG");
  }

  @ParameterizedTest
  @CsvSource({
    "~tree, 'were delivered and are missing'",
    "~receipts, 'all receipts are missing'",
  })
  void whatIsMissingBesideTheFilesIsNamed(String removed, String why) throws Exception {
    String key = publicKeyOf("agent.key");
    run(
        0,
        "ship --once --agent web --directories on --signing-key-file agent.key --state s logs a");
    run(0, "verify a --trust " + key);
    run(0, "restore a whole --trust " + key);
    run(0, "ls a --trust " + key);
    remove(directory.resolve("a/web").resolve(removed));
    for (String command : List.of("verify a", "restore a restored", "ls a")) {
      Trial trial = run(3, command + " --trust " + key);
      assertTrue(trial.err().contains(why), trial.err());
    }
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  @Test
  void anEarlierKeyIsNamed() throws Exception {
    String first = run(0, "keygen --signing -o 1.key").err().strip().replace("Public key: ", "");
    run(0, "keygen --signing -o 2.key");
    String ship = "ship --once --agent web --state ";
    run(0, ship + "s1 --signing-key-file 1.key logs archive");
    Files.writeString(directory.resolve("trusted"), "web " + first + "\n");
    String second = " --signing-key-file 2.key";
    Trial named = run(0, ship + "s2 --trusted-keys trusted" + second + " logs archive");
    assertFalse(named.err().contains("trusted_keys"), named.err());
    Trial unnamed = run(0, ship + "s3" + second + " logs archive");
    assertTrue(unnamed.err().contains("cannot be trusted (0 without"), unnamed.err());
  }
}
