package dev.tailwater.delivery.room;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WaitingPathsTest {
  private static final long MANY = 1001;
  private static final long FEW = 1002;

  private final WaitingPaths waiting = new WaitingPaths();

  private static PosixPath path(String name) {
    return PosixPath.of("/shared/" + name);
  }

  private WaitingPaths.Next serve() {
    WaitingPaths.Next next = waiting.next().orElseThrow();
    waiting.remove(next.path());
    waiting.endTurn(next.ownerId());
    return next;
  }

  @Test
  void oneFileWaitsForOneOfEachOtherOwnerOnly() {
    for (int i = 0; i < 100_000; i++) {
      waiting.add(path("many" + i), MANY);
    }
    waiting.add(path("few"), FEW);
    assertEquals(path("many0"), serve().path());
    assertEquals(path("few"), serve().path());
    assertEquals(path("many1"), serve().path());
    assertFalse(waiting.contains(path("few")));
    assertEquals(99_998, waiting.size());
    assertEquals(1, waiting.owners());
  }

  @Test
  void aPathWaitsOnceAndWhatIsRemovedWaitsNoMore() {
    waiting.add(path("a"), MANY);
    waiting.add(path("b"), MANY);
    waiting.add(path("c"), MANY);
    waiting.add(path("a"), MANY);
    waiting.remove(path("b"));
    waiting.remove(path("b"));
    assertEquals(path("a"), serve().path());
    assertEquals(path("c"), serve().path());
    assertTrue(waiting.isEmpty());
    assertEquals(Optional.empty(), waiting.next());
  }

  /** Compares it with lists that are obviously right, and counts how long each owner waits. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void theOwnersTakeTurnsWhateverComesAndGoes(long seed) {
    Random random = new Random(seed);
    Map<Long, Set<PosixPath>> expected = new LinkedHashMap<>();
    Map<Long, Integer> servedOthers = new HashMap<>();
    for (int step = 0; step < 20_000; step++) {
      long owner = 1L + random.nextInt(random.nextInt(1, 12));
      switch (random.nextInt(4)) {
        case 0, 1 -> {
          PosixPath path = path(owner + "-" + random.nextInt(200));
          waiting.add(path, owner);
          expected.computeIfAbsent(owner, _ -> new LinkedHashSet<>()).add(path);
        }
        case 2 -> {
          PosixPath path = path(owner + "-" + random.nextInt(200));
          waiting.remove(path);
          forget(expected, owner, path, servedOthers);
        }
        default -> {
          if (!expected.isEmpty()) {
            WaitingPaths.Next next = serve();
            assertEquals(
                expected.getOrDefault(next.ownerId(), Set.of()).iterator().next(), next.path());
            forget(expected, next.ownerId(), next.path(), servedOthers);
            servedOthers.remove(next.ownerId());
            for (long other : expected.keySet()) {
              if (other != next.ownerId()) {
                int waited = servedOthers.merge(other, 1, Integer::sum);
                assertTrue(waited <= 11, other + " waited for " + waited + " of 11 others");
              }
            }
          }
        }
      }
      assertEquals(expected.size(), waiting.owners());
      assertEquals(
          expected.values().stream().flatMap(Set::stream).mapToLong(PosixPath::lengthBytes).sum(),
          waiting.pathBytes());
    }
    Map<Long, Long> counted = new TreeMap<>();
    waiting.countInto(counted);
    Map<Long, Long> sizes = new TreeMap<>();
    expected.forEach((owner, paths) -> sizes.put(owner, (long) paths.size()));
    assertEquals(sizes, counted);
    List<PosixPath> rest = new ArrayList<>();
    while (!waiting.isEmpty()) {
      rest.add(serve().path());
    }
    assertEquals(sizes.values().stream().mapToLong(size -> size).sum(), rest.size());
  }

  private static void forget(
      Map<Long, Set<PosixPath>> paths,
      long owner,
      PosixPath path,
      Map<Long, Integer> servedOthers) {
    Set<PosixPath> own = paths.getOrDefault(owner, new LinkedHashSet<>());
    own.remove(path);
    if (own.isEmpty()) {
      paths.remove(owner);
      servedOthers.remove(owner);
    }
  }
}
