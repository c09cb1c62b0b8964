package dev.tailwater.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EscapedPathTest {
  @Test
  void ordinaryPathsAreTheirOwnText() {
    for (String path : new String[] {"/var/log/a.log", "/ü b/日本/🙂", "", "a%5C"}) {
      assertEquals(path, EscapedPath.of(PosixPath.of(path)));
      assertEquals(PosixPath.of(path), EscapedPath.parse(path));
    }
  }

  @Test
  void escapesWhatIsNoTextOrDangerousAndBackslashes() {
    PosixPath path = PosixPath.of("/a\\b\u001b\u202e\ufffd".getBytes(StandardCharsets.UTF_8));
    assertEquals("/a\\\\b\\x1b\\xe2\\x80\\xae\ufffd", EscapedPath.of(path));
    PosixPath bytes = PosixPath.of(new byte[] {'/', (byte) 0xff, '\n', (byte) 0xc3});
    assertEquals("/\\xff\\x0a\\xc3", EscapedPath.of(bytes));
  }

  @Test
  void aBackslashThatBeginsNoEscapeStandsForItself() {
    assertEquals(PosixPath.of("/a\\b\\xg0\\"), EscapedPath.parse("/a\\b\\xg0\\"));
  }

  @Test
  void everyPathComesBackFromItsText() {
    long seed = new SecureRandom().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 5_000; round++) {
      byte[] bytes = new byte[random.nextInt(20)];
      for (int i = 0; i < bytes.length; i++) {
        // Mostly what escapes are made of.
        bytes[i] =
            random.nextInt(3) > 0
                ? (byte) "\\x0fa/".charAt(random.nextInt(6))
                : (byte) (1 + random.nextInt(255));
      }
      PosixPath path = PosixPath.of(bytes);
      assertEquals(path, EscapedPath.parse(EscapedPath.of(path)), "seed " + seed);
    }
  }
}
