package dev.tailwater.delivery.tail;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.sums.BlockRun;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.PosixPath;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ReadPositionTest {
  private static final FileIdentity FILE =
      new FileIdentity(0x801, 77, OptionalLong.of(5), OptionalLong.of(1_700_000_000L));
  private static final Marker MARKER = Marker.of(new byte[] {1, 2, 3, 4}, 4);

  private final StreamProgress stream = stream(0);

  private static StreamProgress stream(int epoch) {
    StreamId id = StreamId.of("agent", FILE, epoch);
    return StreamProgress.begin("agent", FILE, id, PosixPath.of("/app.log"), 0);
  }

  private ReadPosition fresh() {
    return new ReadPosition(stream, true, true);
  }

  private ReadPosition delivered() {
    stream.acknowledge(new ByteRange(0, 4), MARKER);
    return new ReadPosition(stream, false, true);
  }

  @Test
  void untilItHasResumedAllThatIsDurableIsKnown() {
    ReadPosition read = delivered();
    assertEquals(Optional.of(new Position(stream, 4, MARKER)), read.lastKnown());
    stream.acknowledge(new ByteRange(4, 9), Marker.NONE);
    assertEquals(9, read.readToBytes());
    assertEquals(4, read.bytes());
  }

  @Test
  void onceItHasResumedAllThatItHasReadIsKnown() {
    ReadPosition read = delivered();
    read.resumeAt(4, MARKER);
    read.advance(7, Marker.NONE, new BlockRun(4));
    assertEquals(Optional.of(new Position(stream, 7, Marker.NONE)), read.lastKnown());
    assertEquals(7, read.readToBytes());
    assertFalse(read.isAllDurable());
  }

  @Test
  void withoutAMarkerNothingTellsWhetherTheFileHasWhatIsDurable() {
    stream.holds(new ByteRange(0, 4));
    assertEquals(Optional.empty(), new ReadPosition(stream, false, true).lastKnown());
  }

  @Test
  void aPositionThatMovedCannotBePinned() {
    ReadPosition read = fresh();
    Position before = read.now();
    read.advance(4, MARKER, new BlockRun(0));
    assertFalse(read.pin(before));
    assertTrue(read.pin(read.now()));
  }

  @Test
  void itFollowsOnlyFromTheSamePositionAndUnlessItIsPinned() {
    ReadPosition read = fresh();
    Position elsewhere = new Position(stream(0), 0, Marker.NONE); // of another destination
    assertTrue(read.isInStep(elsewhere, 4));
    assertFalse(read.isInStep(new Position(stream(0), 4, Marker.NONE), 8));
    assertFalse(read.isInStep(new Position(stream(1), 0, Marker.NONE), 4));
    assertTrue(read.pin(read.now()));
    assertFalse(read.isInStep(elsewhere, 4));
    read.unpin();
    assertTrue(read.isInStep(elsewhere, 4));
  }

  @Test
  void itDoesNotFollowOverBytesThatItsDestinationHas() {
    stream.holds(new ByteRange(2, 4));
    ReadPosition read = new ReadPosition(stream, true, true);
    Position elsewhere = new Position(stream(0), 0, Marker.NONE);
    assertTrue(read.isInStep(elsewhere, 2));
    assertFalse(read.isInStep(elsewhere, 3));
  }

  @Test
  void itDoesNotFollowBeforeItHasResumed() {
    ReadPosition read = new ReadPosition(stream, false, true);
    assertFalse(read.isInStep(read.now(), 4));
  }

  @Test
  void onlyTheBeginningOfAStreamThatIsCertainlyNewIsCertain() {
    assertTrue(fresh().isCertainlyAtBegin());
    assertFalse(new ReadPosition(stream, true, false).isCertainlyAtBegin());
    assertFalse(new ReadPosition(stream, false, true).isCertainlyAtBegin());
    assertTrue(new ReadPosition(stream, false, true).mayHaveRead());
  }

  @Test
  void theDestinationMayKnowAnotherStreamAndMoreOfIt() {
    ReadPosition read = new ReadPosition(stream, true, false);
    StreamProgress known = stream(1);
    known.acknowledge(new ByteRange(0, 4), MARKER);
    read.identify(known, false);
    assertSame(known, read.stream());
    assertEquals(4, read.bytes());
    assertTrue(read.isIdentified());
    assertFalse(read.isResumed());
    assertTrue(read.isContinued());
  }

  @Test
  void itMayLeaveOnceTheTableKnowsTheBytesAndTheMarkerBeforeIt() {
    ReadPosition read = fresh();
    assertTrue(read.mayLeave(), "of an empty file there is nothing to know");
    read.advance(4, MARKER, new BlockRun(0));
    assertFalse(read.mayLeave());
    stream.holds(new ByteRange(0, 4));
    assertFalse(read.mayLeave(), "no marker");
    stream.confirm(4, MARKER);
    assertTrue(read.mayLeave());
    assertEquals(read.now(), ReadPosition.comeBack(stream).now());
  }

  @Test
  void theNextStreamBeginsAtZeroWithoutAMarker() {
    ReadPosition read = fresh();
    read.advance(4, MARKER, new BlockRun(0));
    StreamProgress next = stream(1);
    read.beginStream(next, true);
    assertEquals(new Position(next, 0, Marker.NONE), read.now());
    assertTrue(read.isCertainlyAtBegin());
  }
}
