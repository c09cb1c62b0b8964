package dev.tailwater.destination.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.posix.testkit.CrashError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FaultyDestinationTest {
  private final InMemoryDestination real = InMemoryDestination.create();

  private static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static PutResult put(Destination place, String key, byte[] content) throws IOException {
    return place.putSegment(key, ByteBuffer.wrap(content));
  }

  private static byte[] readAll(Destination place, String key) throws IOException {
    try (InputStream stream = place.read(key, 0, Long.MAX_VALUE)) {
      return stream.readAllBytes();
    }
  }

  private static List<String> keys(Destination place) throws IOException {
    return place.list("", Optional.empty(), 100).entries().stream().map(Entry::key).toList();
  }

  @Test
  void failsWithoutEffectAtThePlannedCallOnly() throws IOException {
    FaultyDestination faulty =
        FaultyDestination.wrap(
            real,
            DestinationFaultPlan.at(2, DestinationFault.FAIL_TRANSIENT)
                .or(DestinationFaultPlan.once("putObject", DestinationFault.FAIL_PERMANENT)));
    assertEquals(PutResult.CREATED, put(faulty, "a", bytes(1, 5)));
    assertThrows(TransientDestinationException.class, () -> put(faulty, "b", bytes(1, 5)));
    assertThrows(PermanentDestinationException.class, () -> faulty.putObject("c", bytes(1, 5)));
    assertEquals(List.of("a"), keys(real));
    faulty.putObject("c", bytes(2, 5));
    assertArrayEquals(bytes(2, 5), readAll(faulty, "c"));
    faulty.delete("c");
    assertEquals(
        List.of("putSegment a", "putSegment b", "putObject c", "putObject c", "read c", "delete c"),
        faulty.log().stream().map(call -> call.method() + " " + call.key()).toList());
    assertEquals(6, faulty.callCount());
  }

  @Test
  void losesTheAnswerOfACallThatTookEffect() throws IOException {
    FaultyDestination faulty =
        FaultyDestination.wrap(
            real, DestinationFaultPlan.once("putSegment", DestinationFault.LOSE_ANSWER));
    assertThrows(TransientDestinationException.class, () -> put(faulty, "a", bytes(1, 5)));
    assertArrayEquals(bytes(1, 5), readAll(real, "a"));
    assertEquals(PutResult.ALREADY_EXISTS, put(faulty, "a", bytes(1, 5)));
  }

  @Test
  void diesBeforeOrAfterACallAndForEver() throws IOException {
    for (boolean after : new boolean[] {false, true}) {
      String key = "after-" + after;
      FaultyDestination faulty =
          FaultyDestination.wrap(
              real,
              DestinationFaultPlan.when(
                  call -> call.key().equals(key),
                  after ? DestinationFault.CRASH_AFTER : DestinationFault.CRASH_BEFORE));
      put(faulty, "other-" + after, new byte[0]);
      assertFalse(faulty.crashed());
      assertThrows(CrashError.class, () -> put(faulty, key, bytes(1, 5)));
      assertTrue(faulty.crashed());
      assertThrows(CrashError.class, () -> faulty.list("", Optional.empty(), 1));
      assertThrows(CrashError.class, () -> faulty.delete("other-" + after));
      assertEquals(2, faulty.callCount());
      assertEquals(after, keys(real).contains(key));
    }
  }

  @Test
  void refusesAPlanForAMethodThatDoesNotExist() {
    assertThrows(
        IllegalArgumentException.class,
        () -> DestinationFaultPlan.all("put", DestinationFault.FAIL_TRANSIENT));
  }

  @Test
  void isSlowButRight() throws IOException {
    SlowDestination slow = SlowDestination.wrap(real, Duration.ofMillis(20));
    put(slow, "a", bytes(1, 5));
    assertArrayEquals(bytes(1, 5), readAll(slow, "a"));
    Thread.currentThread().interrupt();
    assertThrows(TransientDestinationException.class, () -> put(slow, "b", bytes(1, 5)));
    assertTrue(Thread.interrupted(), "the interrupt was swallowed");
    assertEquals(List.of("a"), keys(slow));
  }
}
