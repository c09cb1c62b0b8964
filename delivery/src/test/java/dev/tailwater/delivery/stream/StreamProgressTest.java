package dev.tailwater.delivery.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.GapRecord;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.archive.record.StreamRecord.EndReason;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.PosixPath;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StreamProgressTest {
  private static final FileOwner OWNER = new FileOwner(1, 2, "daemon", "bin");
  private static final FileIdentity FILE =
      new FileIdentity(0x801, 77, OptionalLong.of(5), OptionalLong.of(1_700_000_000L));
  private static final PosixPath FIRST = PosixPath.of("/log/first");
  private static final PosixPath SECOND = PosixPath.of("/log/second");

  private static StreamProgress stream() {
    return StreamProgress.begin("agent", FILE, StreamId.of("agent", FILE, 0), FIRST, 1_000);
  }

  @Test
  void aPathThatHeadersMayHaveIsCorrectedThoughTheFileHasItsFirstNameAgain() {
    StreamProgress killed = stream();
    killed.seen(Place.of(SECOND), 0600, 1, OWNER, 1_500);
    killed.acknowledge(new ByteRange(0, 100), Marker.NONE); // Its header has the second path.
    StreamProgress resumed = StreamProgress.resume(killed.checkpoint());
    resumed.seen(Place.of(FIRST), 0600, 1, OWNER, 2_000);
    assertEquals(FIRST, resumed.undescribed().orElseThrow().record().lastPath());
  }

  @Test
  void aModeThatChangesBeforeTheFirstCheckpointIsTold() {
    StreamProgress stream = stream();
    stream.seen(Place.of(FIRST), 0644, 1, OWNER, 1_500);
    stream.acknowledge(new ByteRange(0, 100), Marker.NONE);
    stream.seen(Place.of(FIRST), 0600, 1, OWNER, 2_000);
    assertEquals(0600, stream.undescribed().orElseThrow().record().permissions());
  }

  @Test
  void aModeThatChangesWhileTheFirstRangeIsUnderWayIsTold() {
    StreamProgress stream = stream();
    stream.seen(Place.of(FIRST), 0644, 1, OWNER, 1_500);
    stream.states(0644, Optional.of(OWNER));
    assertTrue(stream.undescribed().isEmpty());
    stream.seen(Place.of(FIRST), 0600, 1, OWNER, 2_000);
    assertEquals(0600, stream.undescribed().orElseThrow().record().permissions());
  }

  @Test
  void aModeThatHasChangedBeforeTheFirstRangeIsHandedOverIsTold() {
    StreamProgress stream = stream();
    stream.seen(Place.of(FIRST), 0644, 1, OWNER, 1_500);
    stream.seen(Place.of(FIRST), 0600, 1, OWNER, 2_000);
    assertTrue(stream.undescribed().isEmpty());
    stream.states(0644, Optional.of(OWNER));
    assertEquals(0600, stream.undescribed().orElseThrow().record().permissions());
  }

  @Test
  void theFirstLookAtAFileThatOnlyTheArchiveKnowsTellsAnotherMode() {
    StreamOrigin origin = new StreamOrigin(stream().id(), FIRST, stream().streamPrefix());
    for (int stated : List.of(0644, 0600)) {
      StreamProgress found = StreamProgress.rediscover(FILE, origin, FIRST);
      found.holds(new ByteRange(0, 100));
      found.states(stated, Optional.empty());
      found.seen(Place.of(FIRST), 0644, 1, OWNER, 1_500);
      assertEquals(stated != 0644, found.undescribed().isPresent());
    }
  }

  @Test
  void theFirstLookAtAFileThatOnlyTheArchiveKnowsTellsNothing() {
    StreamOrigin origin = new StreamOrigin(stream().id(), FIRST, stream().streamPrefix());
    StreamProgress found = StreamProgress.rediscover(FILE, origin, FIRST);
    found.holds(new ByteRange(0, 100));
    found.seen(Place.of(FIRST), 0644, 1, OWNER, 1_500);
    assertTrue(found.undescribed().isEmpty());
    found.seen(Place.of(FIRST), 0600, 1, OWNER, 2_000);
    assertEquals(0600, found.undescribed().orElseThrow().record().permissions());
  }

  @Test
  void segmentsThatNoCheckpointKnowsMayHaveAnyPathInTheirHeaders() {
    StreamProgress resumed = StreamProgress.resume(stream().checkpoint());
    assertTrue(resumed.undescribed().isEmpty());
    resumed.holdsUnknownHeaders();
    assertEquals(FIRST, resumed.undescribed().orElseThrow().record().lastPath());
  }

  @Test
  void theArchiveIsNotToldOfAnEndThatIsNotSaved() {
    StreamProgress stream = stream();
    stream.seen(Place.of(SECOND), 0600, 1, OWNER, 1_500);
    stream.endUnannounced(new Ending(EndReason.TRUNCATED, 0, 584, 2_000));
    Description rename = stream.undescribed().orElseThrow();
    assertEquals(Optional.empty(), rename.record().end());
    assertEquals(List.of(), rename.gaps());
    stream.described(rename);
    assertEquals(Optional.empty(), stream.undescribed());
    stream.announceEnd();
    Description end = stream.undescribed().orElseThrow();
    assertEquals(EndReason.TRUNCATED, end.record().end().orElseThrow().reason());
    assertEquals(new ByteRange(0, 584), end.gaps().getFirst().range());
  }

  @Test
  void whatDidNotArriveOfAFileThatWasTruncatedIsAGapBeforeWhatDid() {
    StreamProgress stream = StreamProgress.resume(stream().checkpoint());
    stream.holds(new ByteRange(700, 900));
    stream.endUnannounced(new Ending(EndReason.TRUNCATED, 0, 0, 2_000));
    stream.announceEnd();
    Description end = stream.undescribed().orElseThrow();
    assertEquals(
        List.of(new ByteRange(0, 700)), end.gaps().stream().map(GapRecord::range).toList());
  }

  @Test
  void whatDidNotArriveOfAFileThatVanishedIsAGapBeforeWhatDid() {
    StreamProgress stream = StreamProgress.resume(stream().checkpoint());
    stream.holds(new ByteRange(700, 900));
    assertTrue(stream.endVanished(2_000));
    Description end = stream.undescribed().orElseThrow();
    assertEquals(
        List.of(new ByteRange(0, 700)), end.gaps().stream().map(GapRecord::range).toList());
  }

  @Test
  void aRecordStandsAboveHeaders() {
    StreamProgress recorded = stream();
    recorded.seen(Place.of(SECOND), 0600, 1, OWNER, 1_500);
    recorded.described(recorded.undescribed().orElseThrow());
    StreamProgress resumed = StreamProgress.resume(recorded.checkpoint());
    resumed.holdsUnknownHeaders();
    assertTrue(resumed.undescribed().isEmpty());
  }

  private static Place at(PosixPath path, long arrivalNanos) {
    return new Place(path, OptionalLong.of(arrivalNanos));
  }

  @Test
  void theArchiveIsToldThatAFileIsBackAtItsPath() {
    StreamProgress stream = stream();
    stream.seen(at(FIRST, 10), 0600, 1, OWNER, 1_500);
    assertEquals(stream.checkpoint().origin().birthPath(), FIRST);
    stream.acknowledge(new ByteRange(0, 100), Marker.NONE);
    stream.seen(at(FIRST, 10), 0600, 1, OWNER, 1_600);
    assertTrue(stream.undescribed().isEmpty() && stream.isPlaceTold());

    stream.seen(at(FIRST, 30), 0600, 1, OWNER, 1_700); // Another file may have been there.
    assertFalse(stream.isPlaceTold());
    Description back = stream.undescribed().orElseThrow();
    assertEquals(
        new StreamRecord.KnownPath(FIRST, 1_700, OptionalLong.of(30)),
        back.record().paths().getLast());
    stream.described(back);
    assertTrue(stream.undescribed().isEmpty() && stream.isPlaceTold());
  }

  @Test
  void theArchiveIsToldThatAnEmptyFileIsBackAtItsPathAndThatItHasAnotherMode() {
    StreamProgress stream = stream();
    stream.seen(at(FIRST, 10), 0600, 1, OWNER, 1_500);
    var _ = stream.checkpoint(); // Now it is registered.
    stream.seenEmpty();
    stream.described(stream.undescribed().orElseThrow());
    stream.seen(at(FIRST, 10), 0600, 1, OWNER, 1_600);
    assertTrue(stream.undescribed().isEmpty());

    stream.seen(at(FIRST, 30), 0600, 1, OWNER, 1_700);
    Description back = stream.undescribed().orElseThrow();
    assertEquals(OptionalLong.of(30), back.record().paths().getLast().arrivalNanos());
    stream.described(back);
    stream.seen(at(FIRST, 30), 0640, 1, OWNER, 1_800);
    assertEquals(0640, stream.undescribed().orElseThrow().record().permissions());
  }

  @Test
  void aStartThatFindsAFileAtItsPathTellsNothing() {
    StreamProgress stream = stream();
    stream.seen(at(FIRST, 10), 0600, 1, OWNER, 1_500);
    stream.acknowledge(new ByteRange(0, 100), Marker.NONE);
    StreamProgress resumed = StreamProgress.resume(stream.checkpoint());
    resumed.seen(at(FIRST, 20), 0600, 1, OWNER, 2_000);
    assertTrue(resumed.undescribed().isEmpty() && resumed.isPlaceTold());
  }

  /** Returns a stream whose bytes are durable, with the time that the file was seen with first. */
  private static StreamProgress delivered() {
    StreamProgress stream = stream();
    stream.seen(Place.of(FIRST), 0644, 1, OWNER, 1_500);
    stream.statesTime(1, 1_600);
    stream.states(0644, Optional.of(OWNER));
    stream.acknowledge(new ByteRange(0, 100), Marker.NONE);
    return stream;
  }

  private static long toldTimeNanos(StreamProgress stream) {
    return stream.undescribed().orElseThrow().record().modificationTimeNanos();
  }

  private static void describe(StreamProgress stream) {
    stream.described(stream.undescribed().orElseThrow());
  }

  @Test
  void aTimeThatReadersDoNotKnowIsTold() {
    StreamProgress stream = delivered();
    stream.tellTime(0, false);
    assertTrue(stream.undescribed().isEmpty(), "the range tells it");
    stream.seen(Place.of(FIRST), 0644, 2, OWNER, 2_000);
    assertFalse(stream.isTimeTold());
    stream.tellTime(0, false);
    assertEquals(2, toldTimeNanos(stream));
    describe(stream);
    stream.tellTime(0, true);
    assertTrue(stream.undescribed().isEmpty(), "once");
  }

  @Test
  void aTimeIsToldAsOfLaterThanTheBytesThatHaveAnother() {
    StreamProgress stream = delivered();
    stream.seen(Place.of(FIRST), 0644, 2, OWNER, 2_000);
    stream.statesTime(1, 5_000); // It was read before.
    stream.tellTime(0, false);
    assertTrue(stream.undescribed().orElseThrow().seenAtMillis() > 5_000);
  }

  @Test
  void aTimeIsToldAgainWhereBytesSayAnEarlierOneMeanwhile() {
    StreamProgress stream = delivered();
    stream.seen(Place.of(FIRST), 0644, 2, OWNER, 2_000);
    stream.tellTime(0, false);
    Description description = stream.undescribed().orElseThrow();
    stream.statesTime(1, description.seenAtMillis() + 5);
    stream.described(description);
    stream.tellTime(0, true);
    assertEquals(2, toldTimeNanos(stream));
    assertTrue(stream.undescribed().orElseThrow().seenAtMillis() > description.seenAtMillis() + 5);
  }

  @Test
  void aTimeThatChangesAllTheTimeIsToldFromTimeToTime() {
    StreamProgress stream = delivered();
    int told = 0;
    for (int second = 0; second < 120; second++) {
      stream.seen(Place.of(FIRST), 0644, 2 + second, OWNER, 2_000 + second);
      stream.tellTime(TimeUnit.SECONDS.toNanos(second), false);
      if (stream.isUndescribed()) {
        told++;
        describe(stream);
      }
    }
    assertEquals(4, told);
    assertFalse(stream.mayLeave());
    stream.tellTime(TimeUnit.SECONDS.toNanos(119), true);
    assertEquals(121, toldTimeNanos(stream));
  }

  @Test
  void theNextRunTellsATimeThatThisOneHasNotTold() {
    StreamProgress killed = delivered();
    killed.seen(Place.of(FIRST), 0644, 2, OWNER, 2_000);
    StreamProgress untold = StreamProgress.resume(killed.checkpoint());
    untold.seen(Place.of(FIRST), 0644, 2, OWNER, 3_000);
    untold.tellTime(0, false);
    assertEquals(2, toldTimeNanos(untold));

    killed.tellTime(0, false); // And it is killed before the archive has it.
    StreamProgress pending = StreamProgress.resume(killed.checkpoint());
    pending.seen(Place.of(FIRST), 0644, 2, OWNER, 3_000);
    assertEquals(2, toldTimeNanos(pending));

    describe(killed);
    StreamProgress told = StreamProgress.resume(killed.checkpoint());
    told.seen(Place.of(FIRST), 0644, 2, OWNER, 3_000);
    told.tellTime(0, false);
    assertTrue(told.undescribed().isEmpty());
  }

  @Test
  void theNextRunTellsAModeThatThisOneHasNotTold() {
    StreamProgress killed = delivered();
    killed.seen(Place.of(FIRST), 0600, 1, OWNER, 2_000);
    assertTrue(killed.isUndescribed());
    StreamProgress next = StreamProgress.resume(killed.checkpoint());
    next.seen(Place.of(FIRST), 0600, 1, OWNER, 3_000);
    assertEquals(0600, next.undescribed().orElseThrow().record().permissions());
    describe(next);
    assertTrue(StreamProgress.resume(next.checkpoint()).undescribed().isEmpty());
  }

  @Test
  void aFileWhoseTimeIsNotToldStaysInMemory() {
    StreamProgress stream = delivered();
    var _ = stream.checkpoint();
    assertTrue(stream.mayLeave());
    stream.seen(Place.of(FIRST), 0644, 2, OWNER, 2_000);
    assertFalse(stream.mayLeave());
  }

  @Test
  void theTimeThatThePacksTellIsComparedAfterALossOfTheState() {
    StreamOrigin origin = new StreamOrigin(stream().id(), FIRST, stream().streamPrefix());
    for (long told : List.of(1L, 2L)) {
      StreamProgress found = StreamProgress.rediscover(FILE, origin, FIRST);
      found.holds(new ByteRange(0, 100));
      found.statesTime(told, 1_000);
      found.seen(Place.of(FIRST), 0644, 1, OWNER, 1_500);
      assertEquals(told == 1, found.isTimeTold());
    }
  }

  @Test
  void aTimeThatCannotBeReadIsToldAgainUnlessTheStateIsLost() {
    StreamOrigin origin = new StreamOrigin(stream().id(), FIRST, stream().streamPrefix());
    for (boolean stateLost : List.of(false, true)) {
      for (boolean inPack : List.of(false, true)) {
        StreamProgress found = StreamProgress.rediscover(FILE, origin, FIRST);
        found.holds(new ByteRange(0, 100));
        if (inPack) {
          found.statesUnreadableTime(1_000);
        }
        if (stateLost) {
          found.supposesUnreadableTimes();
        }
        if (inPack) {
          found.statesUnreadableTime(1_000); // It is asked for once more before it is read on.
        }
        found.seen(Place.of(FIRST), 0644, 1, OWNER, 1_500);
        assertEquals(stateLost, found.isTimeTold());
        found.tellTime(0, false);
        assertEquals(stateLost, found.undescribed().isEmpty());
        found.seen(Place.of(FIRST), 0644, 2, OWNER, 2_000);
        found.tellTime(TimeUnit.MINUTES.toNanos(1), false);
        assertEquals(2, toldTimeNanos(found));
      }
    }
  }

  @Test
  void aTimeThatPacksTellCountsWhetherOrNotTheStateIsLost() {
    StreamOrigin origin = new StreamOrigin(stream().id(), FIRST, stream().streamPrefix());
    StreamProgress found = StreamProgress.rediscover(FILE, origin, FIRST);
    found.holds(new ByteRange(0, 100));
    found.statesTime(1, 1_000);
    found.supposesUnreadableTimes();
    found.seen(Place.of(FIRST), 0644, 2, OWNER, 1_500);
    assertFalse(found.isTimeTold());
  }

  @Test
  void theNextRunTellsThatAStreamGoesOnOfWhichThisOneHasSaidThatItEnded() {
    StreamProgress killed = delivered();
    killed.end(new Ending(EndReason.VANISHED, 100, 100, 2_000));
    describe(killed);
    killed.reopen();
    StreamProgress next = StreamProgress.resume(killed.checkpoint());
    next.seen(Place.of(FIRST), 0644, 1, OWNER, 3_000);
    Description description = next.undescribed().orElseThrow();
    assertTrue(description.record().end().isEmpty());
    assertTrue(description.corrections().ended());
  }
}
