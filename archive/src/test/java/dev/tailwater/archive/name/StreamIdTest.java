package dev.tailwater.archive.name;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.Property;
import dev.tailwater.archive.open.Segments;
import dev.tailwater.io.FileIdentity;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StreamIdTest {
  private static FileIdentity identity(Random random) {
    return new FileIdentity(
        random.nextLong(),
        random.nextLong(),
        random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(random.nextInt()),
        random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(random.nextLong()));
  }

  @Test
  void isDeterministicAndKeepsItsEpoch() {
    Property.holds(
        300,
        random -> {
          FileIdentity identity = identity(random);
          int epoch = random.nextInt(Integer.MAX_VALUE);
          StreamId id = StreamId.of("a", identity, epoch);
          assertEquals(id, StreamId.of("a", identity, epoch));
          assertEquals(id, new StreamId(id.text()));
          assertEquals(epoch, id.epoch());
          assertEquals(StreamId.of("a", identity, 7), id.withEpoch(7));
          assertEquals(id.withoutEpoch(), id.withEpoch(7).withoutEpoch());
          assertEquals(StreamId.LENGTH_CHARACTERS, id.text().length());
        });
    assertEquals(Integer.MAX_VALUE, Segments.STREAM.withEpoch(Integer.MAX_VALUE).epoch());
  }

  @Test
  void sortsByBirthTimeThenEpoch() {
    long[] births = {Long.MIN_VALUE + 1, -1, 0, 1, 1_795_000_000_000_000_000L, Long.MAX_VALUE};
    StreamId before =
        StreamId.of("a", new FileIdentity(1, 2, OptionalLong.empty(), OptionalLong.empty()), 0);
    for (long birth : births) {
      FileIdentity identity = new FileIdentity(1, 2, OptionalLong.empty(), OptionalLong.of(birth));
      StreamId id = StreamId.of("a", identity, 0);
      assertTrue(before.compareTo(id) < 0, before + " before " + id);
      assertTrue(id.compareTo(id.withEpoch(1)) < 0);
      assertTrue(id.withEpoch(9).compareTo(id.withEpoch(10)) < 0);
      assertTrue(id.withEpoch(31).compareTo(id.withEpoch(1_000_000)) < 0);
      before = id.withEpoch(Integer.MAX_VALUE);
    }
  }

  @Test
  void everyPartOfTheIdentityAndTheAgentCount() {
    OptionalLong none = OptionalLong.empty();
    OptionalLong zero = OptionalLong.of(0);
    Set<StreamId> ids = new HashSet<>();
    for (String agent : List.of("a", "b")) {
      for (long fileSystem : new long[] {1, 2}) {
        for (long inode : new long[] {1, 2}) {
          for (OptionalLong generation : List.of(none, zero, OptionalLong.of(1))) {
            for (OptionalLong birth : List.of(none, zero, OptionalLong.of(1))) {
              ids.add(
                  StreamId.of(agent, new FileIdentity(fileSystem, inode, generation, birth), 0));
            }
          }
        }
      }
    }
    assertEquals(2 * 2 * 2 * 3 * 3, ids.size());
  }

  @Test
  void refusesTextsThatAreNoIds() {
    String good = Segments.STREAM.text();
    assertTrue(StreamId.isValid(good));
    for (String wrong :
        List.of(
            "",
            good + "0",
            good.substring(1),
            good.toUpperCase(java.util.Locale.ROOT),
            good.replace('-', '_'),
            "g" + good.substring(1),
            good.substring(0, 31) + "2000000",
            good.substring(0, 37) + "w")) {
      assertFalse(StreamId.isValid(wrong), wrong);
      assertThrows(IllegalArgumentException.class, () -> new StreamId(wrong), wrong);
    }
    assertThrows(IllegalArgumentException.class, () -> Segments.STREAM.withEpoch(-1));
  }
}
