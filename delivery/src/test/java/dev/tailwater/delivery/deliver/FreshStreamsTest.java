package dev.tailwater.delivery.deliver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.GroupBound;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.archive.pack.StreamFact;
import dev.tailwater.archive.record.StreamRecord.EndReason;
import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.archive.seal.SealedPack;
import dev.tailwater.archive.sign.SigningKey;
import dev.tailwater.archive.sign.Trust;
import dev.tailwater.delivery.pack.EpochBound;
import dev.tailwater.delivery.pack.PackInventory;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.problem.UnheardProblems;
import dev.tailwater.delivery.trust.ArchiveTrust;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.testkit.InMemoryDestination;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** At which stream a file is, if the agent knows only what the archive says of it. */
class FreshStreamsTest {
  private static final String AGENT = "web-1";
  private static final long NOW_MILLIS = Instant.parse("2026-11-29T00:00:00Z").toEpochMilli();
  private static final PosixPath PATH = PosixPath.of("/logs/app.log");
  private static final StreamId FIRST =
      StreamId.of(AGENT, new FileIdentity(5, 7, OptionalLong.of(1), OptionalLong.of(1)), 0);

  private final Destination destination = InMemoryDestination.create();
  private final SecureRandom random = new SecureRandom();

  private Inventory inventory(Optional<Trust> trust) {
    Problems problems = new Problems(new UnheardProblems(), () -> 0);
    PackInventory packs =
        trust
            .map(
                keys ->
                    new PackInventory(
                        destination,
                        AGENT,
                        Optional::empty,
                        problems,
                        new ArchiveTrust(keys, Optional.empty(), destination, problems),
                        GroupBound.none()))
            .orElseGet(() -> new PackInventory(destination, AGENT, Optional::empty, problems));
    return new Inventory(destination, Optional.of(packs));
  }

  /** Returns the latest stream of the file, which has nothing if it is a fresh one. */
  private Map.Entry<StreamId, Holding> latest(Optional<Trust> trust) throws Exception {
    Map<StreamId, Holding> streams = inventory(trust).streams(AGENT, NOW_MILLIS);
    StreamId latest = Collections.max(streams.keySet(), (a, b) -> a.epoch() - b.epoch());
    return Map.entry(latest, streams.get(latest));
  }

  private void assertGoesOn(int epoch) throws Exception {
    Map.Entry<StreamId, Holding> latest = latest(Optional.empty());
    assertEquals(FIRST.withEpoch(epoch), latest.getKey());
    assertTrue(!latest.getValue().isEmpty());
  }

  private void assertIsFresh(int epoch, Optional<Trust> trust) throws Exception {
    Map.Entry<StreamId, Holding> latest = latest(trust);
    assertEquals(FIRST.withEpoch(epoch), latest.getKey());
    assertTrue(latest.getValue().isEmpty());
    assertEquals(PATH, latest.getValue().birthPath());
    assertEquals(prefix(epoch), latest.getValue().streamPrefix());
  }

  private static String prefix(int epoch) {
    return ArchiveNames.streamPrefix(AGENT, PATH, FIRST.withEpoch(epoch));
  }

  private void put(String key) throws Exception {
    destination.putSegment(key, ByteBuffer.wrap(new byte[1]));
  }

  private void putSegment(int epoch, ByteRange range) throws Exception {
    put(ArchiveNames.segment(prefix(epoch), range, new Codec.Zstd(1), false));
  }

  private void putGap(int epoch, ByteRange range) throws Exception {
    put(ArchiveNames.gap(prefix(epoch), range));
  }

  /** Puts a pack that says this of the first stream, of which it has the first bytes. */
  private void putPack(int lengthBytes, StreamFact... facts) throws Exception {
    putPack(FIRST, lengthBytes, facts);
  }

  private void putPack(StreamId stream, int lengthBytes, StreamFact... facts) throws Exception {
    try (PackSealer sealer =
        new PackSealer(new Codec.Zstd(1), List.of(), Optional.empty(), random)) {
      PackGroup group = PackGroup.begin(1_000, random);
      sealer.begin(new byte[1 << 20], new PackId(AGENT, group, 0), 1 << 16);
      sealer.describe(new PackedStream(0, stream, PATH, PATH, 0640));
      if (lengthBytes > 0) {
        sealer.beginRange(0, 0, lengthBytes);
        sealer.append(new byte[lengthBytes], 0, lengthBytes);
        sealer.endRange(1);
      }
      for (StreamFact fact : facts) {
        sealer.say(fact);
      }
      SealedPack pack = sealer.finish(1);
      destination.putSegment(pack.name().key(), pack.content());
    }
  }

  private static StreamFact lost(long startBytes, long endBytes) {
    return new StreamFact.Missing(0, new ByteRange(startBytes, endBytes), "says a test", 1);
  }

  @Test
  void nothingFollowsInAStreamOfWhichBytesAreSaidToBeLost() throws Exception {
    putSegment(0, new ByteRange(0, 100));
    assertGoesOn(0);
    putGap(0, new ByteRange(100, 200));
    assertIsFresh(1, Optional.empty());
    putSegment(1, new ByteRange(0, 100));
    assertGoesOn(1);
  }

  @Test
  void aStreamOfWhichOnlyALossIsToldIsNotBegunAgain() throws Exception {
    putGap(0, new ByteRange(0, 100));
    assertIsFresh(1, Optional.empty());
    assertIsFresh(1, Optional.of(Trust.of(SigningKey.generate(random).publicKey())));
  }

  @Test
  void aStreamWhoseLossIsMadeGoodGoesOn() throws Exception {
    putGap(0, new ByteRange(0, 100));
    putSegment(0, new ByteRange(0, 200));
    assertGoesOn(0);
  }

  @Test
  void aStreamWhoseEpochTheAgentCannotHaveReachedIsLeftOut() throws Exception {
    putSegment(0, new ByteRange(0, 100));
    putSegment(Integer.MAX_VALUE, new ByteRange(0, 100));
    assertGoesOn(0);
    putPack(FIRST.withEpoch(Integer.MAX_VALUE), 100);
    assertGoesOn(0);
    putGap(Integer.MAX_VALUE, new ByteRange(100, 200));
    assertGoesOn(0);
    int highest = EpochBound.ofOwnStreams(NOW_MILLIS);
    putSegment(highest + 1, new ByteRange(0, 100));
    assertGoesOn(0);
    putSegment(highest, new ByteRange(0, 100));
    assertGoesOn(highest);
  }

  /** A file that is truncated more than once a second gets ahead of the clock. */
  @Test
  void aStreamWhoseEpochIsAheadOfTheClockGoesOn() throws Exception {
    int ahead = EpochBound.at(NOW_MILLIS) + 1000;
    putSegment(ahead, new ByteRange(0, 100));
    assertGoesOn(ahead);
    assertEquals(ahead, inventory(Optional.empty()).highestEpoch(AGENT, NOW_MILLIS));
  }

  @Test
  void aFileOfWhichOnlySuchAStreamIsToldBeginsAtItsFirst() throws Exception {
    putSegment(Integer.MAX_VALUE, new ByteRange(0, 100));
    assertEquals(Map.of(), inventory(Optional.empty()).streams(AGENT, NOW_MILLIS));
    assertEquals(0, inventory(Optional.empty()).highestEpoch(AGENT, NOW_MILLIS));
  }

  @Test
  void anAgentWhoseClockIsNotSetYetKnowsItsStreamsAgain() throws Exception {
    putSegment(3, new ByteRange(0, 100));
    assertEquals(
        Set.of(FIRST.withEpoch(3)), inventory(Optional.empty()).streams(AGENT, 0).keySet());
  }

  /** Of a file that earlier runs have forgotten, and that was truncated since. */
  @Test
  void anAgentWhoseClockIsNotSetYetKnowsTheStreamsBehindOneOfAForgottenFile() throws Exception {
    StreamId stream = FIRST.withEpoch(EpochBound.ofNewStreams(0) + 1);
    putSegment(stream.epoch(), new ByteRange(0, 100));
    assertEquals(Set.of(stream), inventory(Optional.empty()).streams(AGENT, 0).keySet());
  }

  @ParameterizedTest
  @EnumSource(EndReason.class)
  void afterAnEndWithALossAStreamInPacksGoesOnOnlyIfItsFileMayComeBack(EndReason reason)
      throws Exception {
    putPack(100, lost(100, 200), new StreamFact.Ended(0, reason, 200, 1));
    switch (reason) {
      case TRUNCATED, DELETED -> assertIsFresh(1, Optional.empty());
      case MOVED_AWAY, VANISHED -> assertGoesOn(0);
    }
  }

  @Test
  void afterAnEndWithoutALossAStreamInPacksIsComparedWithItsFile() throws Exception {
    putPack(100, new StreamFact.Ended(0, EndReason.TRUNCATED, 100, 1));
    assertGoesOn(0);
  }

  @Test
  void aStreamInPacksThatGoesOnHasNotEnded() throws Exception {
    putPack(
        0,
        lost(0, 200),
        new StreamFact.Ended(0, EndReason.TRUNCATED, 200, 1),
        new StreamFact.Continued(0));
    assertGoesOn(0);
  }
}
