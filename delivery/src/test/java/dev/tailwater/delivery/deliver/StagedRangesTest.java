package dev.tailwater.delivery.deliver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class StagedRangesTest {
  private static final FileIdentity IDENTITY =
      new FileIdentity(1, 2, OptionalLong.empty(), OptionalLong.empty());

  private final StagedRanges staged = new StagedRanges();
  private final StagedRange range =
      new StagedRange(
          StreamProgress.begin(
              "agent",
              IDENTITY,
              StreamId.of("agent", IDENTITY, 0),
              PosixPath.of("/logs/app.log"),
              0),
          new ByteRange(0, 100));

  @Test
  void aRangeThatIsUnderWayTwiceIsStagedUntilBothHaveArrived() {
    staged.add(range, 5);
    staged.add(range, 7);
    assertEquals(100, staged.totalBytes());
    staged.remove(range);
    assertTrue(staged.contains(range));
    assertEquals(List.of(range), staged.all());
    assertEquals(100, staged.totalBytes());
    staged.remove(range);
    assertFalse(staged.contains(range));
    assertEquals(0, staged.totalBytes());
  }

  @Test
  void aRangeThatWasGivenUpIsStagedUntilItArrivesAfterAll() {
    staged.add(range, 5);
    staged.givenUp(range);
    assertEquals(List.of(range), staged.all());
    staged.add(range, 5);
    assertEquals(100, staged.totalBytes());
    staged.remove(range);
    assertEquals(List.of(), staged.all());
    assertEquals(0, staged.totalBytes());
  }
}
