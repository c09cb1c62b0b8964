package dev.tailwater.delivery.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.name.GroupBound;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.delivery.time.Clocks;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.testkit.InMemoryDestination;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Behind which packs of the destination a group begins. */
class TreePacksTest {
  private static final String AGENT = "web-1";
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final PackGroup OWN = PackGroup.begin(1_000_000_000, RANDOM);

  private final Destination destination = InMemoryDestination.create();
  private final TreePacks packs =
      new TreePacks(
          destination,
          AGENT,
          () -> {
            throw new AssertionError("nothing is said here");
          },
          RANDOM,
          new Clocks(() -> 0, () -> 0),
          new GroupBound(() -> 0),
          _ -> {});

  private void put(PackGroup group) throws Exception {
    PackName name = new PackName(new PackId(AGENT, group, 0), 1, false, PackName.Folder.TREE);
    destination.putSegment(name.key(), ByteBuffer.wrap(new byte[1]));
  }

  @BeforeEach
  void putForged() throws Exception {
    put(OWN);
    put(PackGroup.begin(Long.MAX_VALUE, RANDOM));
  }

  @Test
  void withoutNotesAGroupIsBehindTheLastOneThatCanBeTheAgentsOwn() throws Exception {
    packs.beginGroup();
    assertEquals(OWN.begunNanos() + 1, packs.group().begunNanos());
  }

  @Test
  void notesAreBelievedAlthoughAForgedPackIsBehindThem() throws Exception {
    packs.resume(OWN, 1, true);
    assertFalse(packs.mustBeginGroup());
    PackGroup later = PackGroup.beginAfter(OWN, 0, RANDOM);
    put(later);
    packs.resume(OWN, 1, true);
    assertTrue(packs.mustBeginGroup());
    packs.beginGroup();
    assertEquals(later.begunNanos() + 1, packs.group().begunNanos());
  }
}
