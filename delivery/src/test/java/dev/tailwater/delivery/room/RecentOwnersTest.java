package dev.tailwater.delivery.room;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.posix.PosixPath;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How long an owner is believed to be the same. */
class RecentOwnersTest {
  private static final PosixPath ONE = PosixPath.of("/one");
  private static final PosixPath OTHER = PosixPath.of("/other");

  private final Map<PosixPath, OptionalLong> real = new HashMap<>();
  private int asked;
  private long nanos = Long.MAX_VALUE - 5; // The clock may pass the largest number.

  private final RecentOwners owners =
      new RecentOwners(
          path -> {
            asked++;
            return real.getOrDefault(path, OptionalLong.empty());
          },
          () -> nanos);

  @Test
  void eachPathIsAskedForOnceASecond() {
    real.put(ONE, OptionalLong.of(1));
    for (int i = 0; i < 1_000; i++) {
      nanos += TimeUnit.MILLISECONDS.toNanos(10);
      assertEquals(OptionalLong.of(1), owners.of(ONE));
      assertEquals(OptionalLong.empty(), owners.of(OTHER));
    }
    assertEquals(2 * 10, asked);
  }

  @Test
  void anOwnerThatChangedIsSeenWithinASecond() {
    real.put(ONE, OptionalLong.of(1));
    owners.of(ONE);
    real.put(ONE, OptionalLong.of(2));
    nanos += TimeUnit.SECONDS.toNanos(1);
    assertEquals(OptionalLong.of(2), owners.of(ONE));
  }
}
