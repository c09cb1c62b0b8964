package dev.tailwater.delivery.quiet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.linux.LinuxFileCalls;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The table of the open descriptors of quiet files. */
final class QuietDescriptorsTest {
  private static final long SEED = 17;
  private static final int ROUNDS = 100_000;

  /** So few that places collide, and that the table grows and shrinks. */
  private static final int NAMES = 3_000;

  private final QuietDescriptors table = new QuietDescriptors(LinuxFileCalls.create());

  @Test
  void itKnowsWhatAMapKnows() {
    Random random = new Random(SEED);
    Map<Long, QuietDescriptors.Held> model = new HashMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      long name = ((long) random.nextInt(NAMES) << 32) | random.nextInt(2);
      boolean grows = round / (ROUNDS / 4) % 2 == 0;
      if (random.nextInt(3) == 0 ^ grows) {
        QuietDescriptors.Held held =
            new QuietDescriptors.Held(
                name, random.nextInt(1 << 20), random.nextInt(), random.nextLong());
        assertEquals(model.putIfAbsent(name, held) == null, table.add(held));
      } else {
        table.remove(name);
        model.remove(name);
      }
      assertEquals(Optional.ofNullable(model.get(name)), table.find(name));
      assertEquals(model.size(), table.size());
    }
    Set<QuietDescriptors.Held> all = new HashSet<>();
    table.forEach(all::add);
    assertEquals(Set.copyOf(model.values()), all);
    assertEquals(all, Set.copyOf(table.some(NAMES * 2)));
  }

  @Test
  void whatLosesItsNameWaitsInTurn() {
    List<QuietDescriptors.Held> held =
        List.of(
            new QuietDescriptors.Held(1, 100, 5, 11),
            new QuietDescriptors.Held(2, 101, 6, 12),
            new QuietDescriptors.Held(3, 102, 7, 13));
    held.forEach(one -> assertTrue(table.add(one)));
    assertTrue(table.loseName(2));
    assertTrue(table.loseName(1));
    assertFalse(table.loseName(1));
    assertEquals(1, table.size());
    assertEquals(3, table.count());
    assertTrue(table.add(new QuietDescriptors.Held(2, 103, 8, 14)), "its name is free");
    assertEquals(held.get(1), table.firstNameless().orElseThrow());
    table.removeNameless(held.get(1));
    assertEquals(held.get(0), table.firstNameless().orElseThrow());
  }
}
