package dev.tailwater.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.store.log.StoreOptions;
import dev.tailwater.store.log.TransactionLogStore;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused before anything of it is written. */
class WriteOptionsTest {
  private static final byte[] KEY = {1};
  private static final InstantSource CLOCK = () -> Instant.parse("2500-01-01T00:00:00Z");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PT-0.001S",
        "PT0S",
        "PT0.000999999S",
        "PT9223372036854775807S",
        "PT9223372036854775.807S",
        "PT-9223372036854775808S"
      })
  void aTimeToLiveThatNoClockCanBeAskedForIsRefused(String time) {
    Duration timeToLive = Duration.parse(time);
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> WriteOptions.defaults().withTimeToLive(timeToLive));
    assertTrue(refused.toString().contains("time to live of " + timeToLive), refused.toString());
  }

  @Test
  void theLongestTimeToLiveIsKept() throws IOException {
    WriteOptions longest = WriteOptions.defaults().withTimeToLive(WriteOptions.MAX_TIME_TO_LIVE);
    long expiresAtMillis = CLOCK.millis() + WriteOptions.MAX_TIME_TO_LIVE.toMillis();
    try (KeyValueStore store =
        TransactionLogStore.open(
            new SimulatedFileSystem().calls(),
            SimulatedFileSystem.STORE,
            StoreOptions.defaults().withClock(CLOCK))) {
      store.put(KEY, KEY, longest);
      assertEquals(expiresAtMillis, store.find(KEY).orElseThrow().expiresAtMillis().orElseThrow());
    }
  }

  @Test
  void aBatchThatIsTooLongBecauseOfItsTagsIsRefused() {
    WriteOptions tagged =
        new WriteOptions(Optional.empty(), Optional.empty(), Set.of("t".repeat(65_533)));
    WriteBatch batch = new WriteBatch().put(KEY, KEY, tagged);
    assertEquals(27 + 1 + 1 + 65_535, batch.sizeBytes());
    int fit = (int) (KeyValueStore.MAX_BATCH_BYTES / batch.sizeBytes());
    for (int i = 1; i < fit; i++) {
      batch.put(KEY, KEY, tagged);
    }
    assertThrows(IllegalArgumentException.class, () -> batch.put(KEY, KEY, tagged));
    assertEquals(fit, batch.size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\ud800", "a\udc00", "\udc00\ud800", "a\ud83d\ude00\ud83d"})
  void aTagThatIsNoTextIsRefused(String tag) {
    assertThrows(
        IllegalArgumentException.class, () -> WriteOptions.defaults().withTags(Set.of(tag)));
  }
}
