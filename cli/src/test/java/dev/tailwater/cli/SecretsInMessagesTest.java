package dev.tailwater.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.config.ShipKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A secret in the wrong place gets into no message: messages end in journals. */
class SecretsInMessagesTest {
  private static final String KEY =
      "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX";
  private static final List<String> SECRETS =
      List.of(
          KEY,
          KEY + "X",
          "AGE-PLUGIN-YUBIKEY-1GFPYYSJZ",
          "file://user:GFPYYSJZ@host/",
          "s3://GFPYYSJZ@bucket/prefix",
          "ftp://user:GFPYYSJZ%@host");

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ship --once --state s logs SECRET",
        "ship --once --state s SECRET archive",
        "ship --once --state s --encrypt-to SECRET logs archive",
        "ship --once --state s --encrypt-to=SECRET logs archive",
        "ship --once --state s logs archive --SECRET",
        "ship --once --state s logs --to SECRET --to SECRET",
        "ship --once --state s logs --to archive --to-best-effort SECRET",
        "ship --config SECRET",
        "ship SECRET",
        "status --state SECRET",
        "drain --state SECRET",
        "check SECRET",
        "ls SECRET",
        "ls archive --identity SECRET",
        "cat SECRET x y SECRET",
        "restore SECRET target",
        "restore archive target --identity SECRET",
        "verify SECRET SECRET SECRET",
        "probe SECRET --quick SECRET",
        "lab --only SECRET --destination SECRET",
        "lab --dir SECRET",
        "store stats SECRET",
        "store get SECRET key",
        "keygen -o SECRET SECRET",
        "SECRET",
      })
  void noCommandRepeatsASecret(String command) throws IOException {
    Files.createDirectories(directory.resolve("logs"));
    for (String secret : SECRETS) {
      List<String> words = new ArrayList<>();
      for (String word : command.split(" ", -1)) {
        words.add(word.replace("SECRET", secret));
      }
      requireSilence(words, Map.of("TAILWATER_DEBUG", "1"));
    }
  }

  @Test
  void noOptionOfShipRepeatsASecret() throws IOException {
    Files.createDirectories(directory.resolve("logs"));
    for (ShipKey key : ShipKey.values()) {
      if (key != ShipKey.DESTINATION && key != ShipKey.STATE) {
        for (String secret : List.of(SECRETS.getFirst(), SECRETS.getLast())) {
          requireSilence(
              List.of("ship", "--once", "--state", "s", key.option(), secret, "logs", "archive"),
              Map.of());
        }
      }
    }
  }

  @Test
  void noKeyOfAConfigurationFileRepeatsASecret() throws IOException {
    for (ShipKey key : ShipKey.values()) {
      for (String secret : SECRETS) {
        for (String form :
            List.of("%1$s: %2$s", "%1$s: '%2$s", "%1$s: [%2$s, {%2$s: 1}]", "%2$s: 1")) {
          String yaml = String.format(Locale.ROOT, form, key.key(), secret);
          Files.writeString(directory.resolve("c.yaml"), "sources: logs\n" + yaml + "\n");
          requireSilence(List.of("check", "c.yaml"), Map.of());
          requireSilence(List.of("check", "--json", "c.yaml"), Map.of());
        }
      }
    }
  }

  @Test
  void aPrivateKeyAsRecipientIsCalledWhatItIs() {
    Trial trial = Trial.run(directory, "ship", "--once", "--encrypt-to", KEY, "logs", "archive");
    assertEquals(2, trial.exitCode());
    assertTrue(trial.err().contains("this is a private key"), trial.err());
  }

  @Test
  void ofARecipientThatIsMistypedOnlyTheBeginningIsShown() {
    String recipient = "age1" + "gfpyysjz".repeat(7) + "gf";
    Trial trial = Trial.run(directory, "ship", "--encrypt-to", recipient, "logs", "archive");
    assertEquals(2, trial.exitCode());
    assertTrue(trial.err().contains("'age1gfpyysjz…'"), trial.err());
  }

  private void requireSilence(List<String> words, Map<String, String> environment) {
    Trial trial = Trial.run(directory, environment, words.toArray(String[]::new));
    String said = (trial.out() + trial.err()).toUpperCase(Locale.ROOT);
    assertFalse(
        said.contains("GFPY") || said.contains("YSJZ"), () -> words + ": " + trial.out() + said);
  }
}
