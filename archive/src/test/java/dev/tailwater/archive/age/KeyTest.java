package dev.tailwater.archive.age;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyTest {
  private static final KeyPair KEYS = KeyPair.generate(new SecureRandom());
  private static final String SECRET = KEYS.identity().secretText();
  private static final String PUBLIC = KEYS.recipient().text();

  private static String message(Runnable action) {
    return String.valueOf(assertThrows(KeyFormatException.class, action::run).getMessage());
  }

  @Test
  void keysReadWhatTheyPrint() {
    assertEquals(KEYS.identity(), Identity.parse(SECRET));
    assertEquals(KEYS.recipient(), Identity.parse(" " + SECRET + "\n").recipient());
    assertEquals(KEYS.recipient(), Recipient.parse(PUBLIC));
    assertFalse(KEYS.identity().toString().contains(SECRET));
    assertFalse(KEYS.toString().contains(SECRET));
  }

  @Test
  void theKeyPairOfRfc7748HasItsPublicKey() {
    byte[] secret =
        HexFormat.of().parseHex("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a");
    assertEquals(
        "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a",
        HexFormat.of().formatHex(X25519.publicKey(secret)));
  }

  @Test
  void filesHaveCommentsEmptyLinesAndSeveralKeys(@TempDir Path directory) throws IOException {
    KeyPair other = KeyPair.generate(new SecureRandom());
    Path identities =
        Files.writeString(
            directory.resolve("key.txt"),
            KEYS.toFileText(Instant.EPOCH) + "\r\n\n# more\r\n" + other.toFileText(Instant.EPOCH));
    assertEquals(List.of(KEYS.identity(), other.identity()), IdentityFile.read(identities));
    Path recipients =
        Files.writeString(
            directory.resolve("to.txt"), "# team\n" + PUBLIC + "\r\n" + other.recipient());
    assertEquals(List.of(KEYS.recipient(), other.recipient()), RecipientFile.read(recipients));
    assertThrows(IOException.class, () -> IdentityFile.read(directory.resolve("none")));
  }

  @Test
  void mistypedKeysNameFileAndLineAndNeverTheSecret() {
    for (int at = 0; at < SECRET.length(); at++) {
      char other = SECRET.charAt(at) == 'Q' ? 'P' : 'Q';
      String wrong = SECRET.substring(0, at) + other + SECRET.substring(at + 1);
      String message = message(() -> IdentityFile.parse("key.txt", "# mine\n\n" + wrong + "\n"));
      assertTrue(message.startsWith("key.txt, line 3: "), message);
      assertFalse(message.contains(SECRET.substring(40, 60)), message);
    }
    for (int at = 0; at < PUBLIC.length(); at++) {
      char other = PUBLIC.charAt(at) == 'q' ? 'p' : 'q';
      String wrong = PUBLIC.substring(0, at) + other + PUBLIC.substring(at + 1);
      String message = message(() -> RecipientFile.parse("to.txt", wrong));
      assertTrue(message.startsWith("to.txt, line 1: "), message);
    }
    for (String wrong :
        List.of(SECRET.toLowerCase(Locale.ROOT), SECRET.substring(0, 60), SECRET + "Q")) {
      assertFalse(message(() -> Identity.parse(wrong)).contains(SECRET.substring(20, 50)));
    }
  }

  @Test
  void pointsOfLowOrderAreNoRecipients() {
    for (int u = 0; u < 2; u++) {
      byte[] point = new byte[32];
      point[0] = (byte) u;
      String text = KeyText.encode(Recipient.PREFIX, point);
      assertTrue(message(() -> Recipient.parse(text)).contains("not a usable"));
    }
  }

  @Test
  void keysOfOtherKindsAreExplained() {
    assertTrue(message(() -> Recipient.parse("ssh-ed25519 AAAA")).contains("SSH"));
    assertTrue(message(() -> Recipient.parse(SECRET)).contains("private key"));
    assertFalse(message(() -> Recipient.parse(SECRET)).contains(SECRET));
    assertFalse(message(() -> Recipient.parse(SECRET.toLowerCase(Locale.ROOT))).contains("qqq"));
    assertTrue(
        message(
                () ->
                    Recipient.parse(
                        "age1yubikey1qwt50d05nh5vutpdzmlg5wn80xq5negm4uj9ghv0snvdd3yysf5yw3rhl3t"))
            .contains("another kind"));
    assertTrue(message(() -> Identity.parse(PUBLIC)).contains("public key"));
    assertTrue(message(() -> Identity.parse("AGE-PLUGIN-YUBIKEY-1Q")).contains("plugin"));
    assertTrue(
        message(() -> IdentityFile.parse("k", "-----BEGIN AGE ENCRYPTED FILE-----\n"))
            .contains("age -d"));
    assertTrue(
        message(() -> IdentityFile.parse("k", "age-encryption.org/v1\n")).contains("age -d"));
    assertTrue(message(() -> IdentityFile.parse("k", "# nothing\n")).contains("no key"));
  }
}
