package dev.tailwater.delivery.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.io.Marker;
import java.util.List;
import org.junit.jupiter.api.Test;

class UndeliveredTest {
  private final DurableRanges durable = new DurableRanges();
  private final Undelivered undelivered = new Undelivered();

  @Test
  void theSizeIsSavedAsLongAsItIsBeyondWhatIsDurable() {
    undelivered.sizeSeen(10);
    undelivered.sizeSeen(7); // After a truncation, which ends the stream.
    assertTrue(undelivered.hasUnsavedSize(0));
    assertFalse(undelivered.hasUnsavedSize(10));
    assertEquals(10, undelivered.save(durable).sizeBytes());
    assertFalse(undelivered.hasUnsavedSize(0));
    durable.add(new ByteRange(0, 10), Marker.NONE);
    assertEquals(Checkpoint.Undelivered.NOTHING, undelivered.save(durable));
  }

  @Test
  void onlyTheFirstCallTellsWhichLostBytesOthersStandFor() {
    undelivered.taken(new ByteRange(5, 10));
    assertEquals(List.of(), undelivered.untoldLossToOthers(List.of(new ByteRange(0, 5))));
    List<ByteRange> lost = List.of(new ByteRange(2, 7), new ByteRange(9, 12));
    assertEquals(
        List.of(new ByteRange(5, 7), new ByteRange(9, 10)), undelivered.untoldLossToOthers(lost));
    assertEquals(List.of(), undelivered.untoldLossToOthers(lost));
  }

  @Test
  void namesThatAreTakenAreNotOwnUntilTheirBytesAreDurable() {
    undelivered.taken(new ByteRange(5, 10));
    assertEquals(
        List.of(new ByteRange(0, 5), new ByteRange(10, 20)),
        undelivered.ownPartsOf(new ByteRange(0, 20)));
    durable.add(new ByteRange(0, 8), Marker.NONE);
    assertEquals(List.of(new ByteRange(8, 10)), undelivered.save(durable).taken());
  }

  /** A checkpoint does not grow without a bound. */
  @Test
  void veryManyRangesAreTakenTogether() {
    for (int i = 0; i < 1_000; i++) {
      undelivered.taken(new ByteRange(10L * i, 10L * i + 1));
    }
    List<ByteRange> taken = undelivered.save(durable).taken();
    assertEquals(64, taken.size());
    assertEquals(new ByteRange(0, 1), taken.getFirst());
    assertEquals(new ByteRange(630, 9_991), taken.getLast());
  }
}
