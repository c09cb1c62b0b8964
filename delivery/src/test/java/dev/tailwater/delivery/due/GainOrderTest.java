package dev.tailwater.delivery.due;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.TailLook;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever asks gets the tail with the most gain, however rarely he does. Files are sparse. */
final class GainOrderTest {
  private static final long SEED = 20_261_127;
  private static final int TAILS = 30;
  private static final int STEPS = 3_000;
  private static final long MOST_NANOS = 1_000;

  private final Random random = new Random(SEED);
  private final List<Tail> tails = new ArrayList<>();
  private final Map<Tail, WaitingTails.Entry> entries = new HashMap<>();
  private final WaitingTails waiting = new WaitingTails();

  @BeforeEach
  void openTails(@TempDir Path base) throws Exception {
    for (int i = 0; i < TAILS; i++) {
      Path file = base.toRealPath().resolve("log-" + i);
      TestTails.grow(file, 1 + i);
      tails.add(TestTails.open(file));
    }
  }

  @AfterEach
  void closeTails() throws Exception {
    for (Tail tail : tails) {
      tail.file().giveUpDescriptor();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 10, 3 * TAILS, STEPS / 4})
  void theFirstHasTheMostGainHoweverRarelySomebodyAsks(int stepsAQuestion) throws Exception {
    int questions = 0;
    for (long now = 1; now <= STEPS; now++) {
      change(tails.get(random.nextInt(TAILS)), now);
      if (random.nextInt(stepsAQuestion) == 0 && !entries.isEmpty()) {
        assertIsBest(waiting.best(now).orElseThrow(), now);
        questions++;
      }
    }
    assertFalse(questions == 0);
  }

  private void change(Tail tail, long now) throws Exception {
    WaitingTails.Entry entry = entries.get(tail);
    if (entry == null) {
      tail.scheduling().served(now);
      tail.scheduling().undefer();
      if (random.nextInt(4) == 0) {
        tail.scheduling().defer(now + random.nextLong(MOST_NANOS));
      }
      Claimant one = new Claimant(0, random.nextInt(3));
      WaitingTails.Entry added = waiting.entry(tail, one, now + random.nextLong(MOST_NANOS), now);
      waiting.add(added);
      entries.put(tail, added);
    } else if (random.nextInt(4) == 0) {
      waiting.remove(entry);
      entries.remove(tail);
    } else {
      TestTails.grow(tail, random.nextLong(1 << random.nextInt(1, 20)));
      TailLook.refresh(tail, now, 0);
      waiting.grown(entry, tail.work().unreadBytes());
    }
  }

  private void assertIsBest(WaitingTails.Entry best, long now) {
    List<WaitingTails.Entry> candidates =
        entries.values().stream().filter(entry -> !entry.isDeferred(now)).toList();
    if (candidates.isEmpty()) {
      return; // Then it is the one whose time comes first.
    }
    int most = candidates.stream().mapToInt(entry -> Gain.of(entry.tail())).max().orElseThrow();
    assertEquals(most, Gain.of(best.tail()));
    assertFalse(best.isDeferred(now));
    assertEquals(
        entries.values().stream().mapToLong(entry -> entry.tail().work().unreadBytes()).sum(),
        waiting.unreadBytes());
  }
}
