package dev.tailwater.delivery.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.archive.pack.StreamFact;
import dev.tailwater.delivery.checkpoint.Beginning;
import dev.tailwater.delivery.stream.Place;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Numbers of groups, packs and streams, and what waits to be said. */
class PackGroupsTest {
  private static final FileOwner OWNER = new FileOwner(1, 2, "daemon", "bin");
  private static final String AGENT = "web-1";
  private static final PosixPath PATH = PosixPath.of("/var/log/app.log");

  private final SecureRandom random = new SecureRandom();
  private long nowMillis = 1_000_000;
  private final PackGroups groups = new PackGroups(AGENT, random, () -> nowMillis);

  private static StreamProgress stream(long inode) {
    FileIdentity identity = new FileIdentity(1, inode, OptionalLong.empty(), OptionalLong.empty());
    return StreamProgress.begin(AGENT, identity, StreamId.of(AGENT, identity, 0), PATH, 0);
  }

  /** Fills a pack with one stream; returns how it was described, and what group it was in. */
  private PackGroup pack(StreamProgress stream, boolean described) throws InterruptedException {
    try (PackGroups.Numbering numbering = groups.begin()) {
      assertEquals(described, numbering.missingDescription(stream).isPresent());
      numbering.missingDescription(stream).ifPresent(numbering::describe);
      PackGroup group = numbering.id().group();
      numbering.keep();
      return group;
    }
  }

  @Test
  void aStreamIsDescribedOnceInAGroup() throws Exception {
    StreamProgress first = stream(1);
    PackGroup group = pack(first, true);
    assertEquals(group, pack(first, false));
    try (PackGroups.Numbering numbering = groups.begin()) {
      assertEquals(2, numbering.id().first());
      assertEquals(0, numbering.number(first));
      assertEquals(1, numbering.number(stream(2)));
    }
  }

  @Test
  void anotherModeIsDescribed() throws Exception {
    StreamProgress stream = stream(1);
    pack(stream, true);
    stream.seen(Place.of(PATH), 0755, 1, OWNER, 1);
    pack(stream, true);
    pack(stream, false);
  }

  @Test
  void aPackThatIsNotKeptLeavesItsNumbersToTheNext() throws Exception {
    StreamProgress dropped = stream(1);
    try (PackGroups.Numbering numbering = groups.begin()) {
      numbering.describe(numbering.missingDescription(dropped).orElseThrow());
    }
    try (PackGroups.Numbering numbering = groups.begin()) {
      assertEquals(0, numbering.id().first());
      PackedStream described = numbering.missingDescription(dropped).orElseThrow();
      assertEquals(PATH, described.birthPath());
    }
  }

  @Test
  void aGroupFollowsThoseThatAreKnownThoughTheClockWasSetBack() throws Exception {
    PackGroup before = PackGroup.begin(2_000_000L * 1_000_000, random);
    groups.known(before);
    assertTrue(pack(stream(1), true).compareTo(before) > 0);
  }

  @Test
  void anotherGroupFollowsAPackThatIsGivenUp() throws Exception {
    StreamProgress stream = stream(1);
    PackGroup group = pack(stream, true);
    nowMillis -= 10;
    groups.abandon(group);
    assertTrue(pack(stream, true).compareTo(group) > 0);
  }

  @Test
  void aGroupEndsAfterSoManyPacks() throws Exception {
    StreamProgress stream = stream(1);
    PackGroup group = pack(stream, true);
    for (int i = 1; i < PackNumbers.MOST_PACKS; i++) {
      assertEquals(group, pack(stream, false));
    }
    assertNotEquals(group, pack(stream, true));
  }

  @Test
  void aStreamOfAnotherAgentHasNoPlaceInPacks() {
    FileIdentity identity = new FileIdentity(1, 1, OptionalLong.empty(), OptionalLong.empty());
    StreamId id = StreamId.of("web-2", identity, 0);
    assertFalse(groups.accepts(StreamProgress.begin("web-2", identity, id, PATH, 0)));
    assertTrue(groups.accepts(stream(1)));
  }

  @Test
  void whatIsUnderWayIsNotSaidTwice() {
    FactQueue facts = new FactQueue(() -> 0);
    StreamProgress stream = stream(1);
    facts.add(stream);
    assertEquals(List.of(stream), facts.take(10));
    facts.add(stream);
    assertFalse(facts.isIdle());
    facts.handedOver(List.of(stream));
    facts.add(stream);
    assertTrue(facts.isIdle());
    facts.arrived(List.of(stream));
    facts.add(stream);
    assertEquals(List.of(stream), facts.take(10));
  }

  @Test
  void whatArrivesBeforeItWasNotedAsHandedOverIsOver() {
    FactQueue facts = new FactQueue(() -> 0);
    StreamProgress stream = stream(1);
    facts.add(stream);
    assertEquals(1, facts.take(10).size());
    facts.arrived(List.of(stream));
    facts.handedOver(List.of(stream));
    facts.add(stream);
    assertEquals(1, facts.size());
  }

  @Test
  void saysOnlyWhatAReaderWouldNotAssume() {
    StreamProgress stream = stream(1);
    stream.seen(Place.of(PosixPath.of("/var/log/app.log.1")), 0640, 7, OWNER, 5);
    List<StreamFact> facts = StreamFacts.of(stream.undescribed().orElseThrow(), 3, true);
    assertEquals(List.of(new StreamFact.Renamed(3, PosixPath.of("/var/log/app.log.1"), 5)), facts);
    assertEquals(2, StreamFacts.of(stream.undescribed().orElseThrow(), 3, false).size());
  }

  @Test
  void noPackNamesAnEpochThatItsGroupDoesNotTellOf() throws Exception {
    PackGroup first = pack(stream(1), true);
    StreamProgress truncatedOften =
        StreamProgress.begin(
            AGENT, stream(2).identity(), stream(2).id().withEpoch(1_000_000_000), PATH, 0);
    try (PackGroups.Numbering numbering = groups.begin()) {
      assertFalse(numbering.mayName(truncatedOften));
      assertTrue(numbering.mayName(stream(1)));
    }
    try (PackGroups.Numbering numbering = groups.begin()) {
      assertTrue(numbering.mayName(truncatedOften));
      assertTrue(first.compareTo(numbering.id().group()) < 0);
    }
  }

  @Test
  void aNewBeginningIsBehindEveryEpochThatWasUsed() throws Exception {
    StreamProgress truncatedOften =
        StreamProgress.begin(
            AGENT, stream(2).identity(), stream(2).id().withEpoch(1_000_000_000), PATH, 0);
    try (PackGroups.Numbering numbering = groups.begin()) {
      assertFalse(numbering.mayName(truncatedOften));
    }
    PackGroup last = pack(truncatedOften, true);
    PackGroups later = new PackGroups(AGENT, random, () -> nowMillis);
    Beginning beginning = later.beginAnew(last, 0).orElseThrow();
    assertTrue(beginning.firstEpoch() > 1_000_000_000);
    assertTrue(last.compareTo(beginning.group()) < 0);
    Beginning next =
        new PackGroups(AGENT, random, () -> nowMillis)
            .beginAnew(beginning.group(), 1_500_000_000)
            .orElseThrow();
    assertTrue(next.firstEpoch() > 1_500_000_000);
    try (PackGroups.Numbering numbering = later.begin()) {
      assertTrue(beginning.group().compareTo(numbering.id().group()) < 0);
    }
    assertEquals(Optional.empty(), later.beginAnew(last, Integer.MAX_VALUE));
  }
}
