package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.archive.seal.SealedPack;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.Signing;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.OpenIntent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Somebody who may put objects, and remove none, puts one that claims to hold what others do. The
 * agent has lost its state, and with it the key that it signed with.
 */
class ForgedCoverTest {
  private static final int APPENDS = 3;
  private static final int APPENDED_BYTES = 200;

  @TempDir Path base;
  private TestAgent.Place place;

  @BeforeEach
  void makePlace() throws IOException {
    place = new TestAgent.Place(base.toRealPath());
  }

  private AgentConfig config(PackUse packs) {
    return place.config().toBuilder()
        .packs(packs)
        .signing(Signing.WITH_KEY_IN_STATE)
        .maxAge(Duration.ofMillis(2))
        .mergeToBytes(OptionalLong.of(1L << 30))
        .build();
  }

  private void deliver(PackUse packs) throws Exception {
    Path log = place.log("app.log");
    try (TestAgent agent = TestAgent.start(place, config(packs), TestAgent.REAL_CALLS)) {
      for (int i = 0; i < APPENDS; i++) {
        Files.write(
            log, new byte[APPENDED_BYTES], StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        agent.awaitDelivered(log);
      }
    }
    Files.move(place.state(), place.base().resolve("lost"));
    Files.delete(log); // As a rotated log is, later.
  }

  private List<String> keys() throws IOException {
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      return archive.list("", Optional.empty(), Integer.MAX_VALUE).entries().stream()
          .map(Entry::key)
          .toList();
    }
  }

  /** Starts the agent, which ends when it has nothing to remove any more. */
  private void assertAllStay(PackUse packs, List<String> before) throws Exception {
    Path other = place.log("other.log");
    Files.write(other, new byte[APPENDED_BYTES]);
    try (TestAgent agent = TestAgent.start(place, config(packs), TestAgent.REAL_CALLS)) {
      agent.awaitDelivered(other);
      assertTrue(agent.drain().isComplete());
      assertEquals(
          0, agent.agent().status().destinations().getFirst().merged().supersededSegments());
    }
    assertTrue(keys().containsAll(before));
  }

  @Test
  void aPackThatClaimsTheNumbersOfOthersHasNoneOfThemRemoved() throws Exception {
    deliver(PackUse.ALWAYS);
    List<String> before = keys();
    List<PackName> packs = before.stream().flatMap(key -> PackName.parse(key).stream()).toList();
    assertEquals(APPENDS, packs.size());
    PackId first = packs.getFirst().id();
    try (PackSealer sealer =
            new PackSealer(
                new Codec.Zstd(1),
                List.of(),
                Optional.empty(),
                new SecureRandom(),
                Optional.empty());
        Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE)) {
      PackId all = new PackId(first.agent(), first.group(), 0, PackId.MAX_SEQUENCE);
      sealer.begin(new byte[1 << 20], all, 1 << 16);
      SealedPack forged = sealer.finish(1);
      archive.putSegment(forged.name().key(), forged.content());
    }

    assertAllStay(PackUse.ALWAYS, before);
  }

  @Test
  void aSegmentThatClaimsTheBytesOfOthersHasNoneOfThemRemoved() throws Exception {
    deliver(PackUse.NEVER);
    List<String> before = keys();
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE)) {
      List<ArchiveObject.Segment> segments = ForeignSegment.all(archive);
      assertEquals(APPENDS, segments.size());
      var _ = ForeignSegment.put(archive, segments.getFirst(), 0, APPENDS * APPENDED_BYTES);
    }

    assertAllStay(PackUse.NEVER, before);
  }
}
