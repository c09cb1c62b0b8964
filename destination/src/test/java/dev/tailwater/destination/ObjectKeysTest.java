package dev.tailwater.destination;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ObjectKeysTest {
  @Test
  void ordersAsUnsignedUtf8BytesDo() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int[] codePoints = {
      1, '/', '0', 'a', 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff
    };
    for (int i = 0; i < 20_000; i++) {
      String a = random(random, codePoints);
      String b = random(random, codePoints);
      int expected =
          Arrays.compareUnsigned(
              a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
      assertEquals(
          Integer.signum(expected),
          Integer.signum(ObjectKeys.ORDER.compare(a, b)),
          () -> "seed " + seed + ": " + a + " against " + b);
    }
  }

  private static String random(Random random, int[] codePoints) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(4); i > 0; i--) {
      text.appendCodePoint(codePoints[random.nextInt(codePoints.length)]);
    }
    return text.toString();
  }

  @Test
  void acceptsWhatEveryStorageTakes() {
    for (String key : List.of("a", "a/b", "...", "a" + "/b".repeat(511), "é".repeat(127), "😀")) {
      assertEquals(Optional.empty(), ObjectKeys.problem(key), key);
    }
  }

  @Test
  void saysWhatIsWrongWithAKey() {
    assertProblem("empty", "");
    assertProblem("slash", "/a", "a/", "a//b", "/");
    assertProblem("component ..", "..", "a/..", "../a");
    assertProblem("component .", "./a", "a/.");
    assertProblem("NUL", "a\0");
    assertProblem("256 bytes", "x".repeat(256), "a/" + "é".repeat(128));
    assertProblem("1025 bytes", "a" + "/b".repeat(512));
    assertProblem("surrogate", "a\ud83d", "\ude00b");
    assertProblem("reserved", ObjectKeys.RESERVED, ObjectKeys.RESERVED + "/x");
  }

  private static void assertProblem(String word, String... keys) {
    for (String key : keys) {
      String problem = ObjectKeys.problem(key).orElse("none");
      assertTrue(problem.contains(word), () -> key + ": " + problem);
    }
  }
}
