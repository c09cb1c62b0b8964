package dev.tailwater.delivery.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.GapRecord;
import dev.tailwater.archive.record.StreamRecord.EndReason;
import dev.tailwater.io.FileIdentity;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class StreamEndTest {
  private static final StreamId ID =
      StreamId.of(
          "agent",
          new FileIdentity(0x801, 77, OptionalLong.of(5), OptionalLong.of(1_700_000_000L)),
          0);

  private final DurableRanges durable = new DurableRanges();
  private final StreamEnd end = new StreamEnd(durable, Optional.empty());

  private static Ending ending(long readToBytes, long knownSizeBytes) {
    return new Ending(EndReason.DELETED, readToBytes, knownSizeBytes, 1_000);
  }

  private List<ByteRange> gaps() {
    return end.gaps(ID).stream().map(GapRecord::range).toList();
  }

  @Test
  void itIsCompleteWhenAllThatWasReadIsDurable() {
    assertFalse(end.isComplete());
    end.end(ending(4, 6));
    assertFalse(end.isComplete());
    durable.add(new ByteRange(0, 4));
    assertTrue(end.isComplete());
    assertEquals(List.of(new ByteRange(4, 6)), gaps());
  }

  @Test
  void whatIsNotToldIsNotComplete() {
    end.endUnannounced(ending(0, 6));
    assertFalse(end.isComplete());
    assertEquals(Optional.empty(), end.told());
    assertEquals(Optional.of(ending(0, 6)), end.ending(), "a checkpoint has it");
    assertEquals(List.of(), gaps());
    end.announce();
    assertTrue(end.isComplete());
    assertEquals(List.of(new ByteRange(0, 6)), gaps());
  }

  @Test
  void bytesAreKnownUpToTheLastThatIsDurable() {
    durable.add(new ByteRange(7, 9));
    end.end(ending(2, 4));
    assertEquals(List.of(new ByteRange(2, 7)), gaps());
  }

  @Test
  void whatWasReadAndNeverArrivedBecomesPartOfTheGap() {
    durable.add(new ByteRange(0, 1));
    end.end(ending(4, 4));
    assertEquals(Optional.of(new ByteRange(1, 4)), end.lostAfterReading());
    assertEquals(List.of(), gaps());
    end.concedeLost();
    assertEquals(Optional.empty(), end.lostAfterReading());
    assertEquals(List.of(new ByteRange(1, 4)), gaps());
    assertTrue(end.isComplete());
  }

  @Test
  void onlyAFileThatWasNotFoundHasVanished() {
    durable.add(new ByteRange(0, 3));
    assertTrue(end.endVanished(0, 1_000));
    assertEquals(Optional.of(new Ending(EndReason.VANISHED, 3, 3, 1_000)), end.ending());
    assertTrue(end.reopen());
    assertFalse(end.endVanished(0, 2_000));
    assertEquals(Optional.empty(), end.ending());
  }

  @Test
  void aStreamThatHadNotEndedIsNotReopened() {
    assertFalse(end.reopen());
    assertFalse(end.endVanished(0, 1_000), "but its file is found");
  }
}
