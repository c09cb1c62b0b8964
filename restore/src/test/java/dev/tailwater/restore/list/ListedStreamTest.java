package dev.tailwater.restore.list;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.StoredSegment;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ListedStreamTest {
  private static final StreamId ID =
      new StreamId("0".repeat(13) + "-" + "0".repeat(16) + "-" + "0".repeat(7));

  private final ListedStream stream =
      new ListedStream(StreamName.of("web-1", PosixPath.of("/log"), ID));

  private static StoredSegment segment(int start) {
    return new StoredSegment(
        new ByteRange(start, start + 1), 10, 1, false, false, Optional.empty());
  }

  @Test
  void keepsSegmentsInTheOrderInWhichTheyWereFound() {
    assertEquals(List.of(), stream.segments());
    stream.addSegment(segment(7));
    assertEquals(List.of(segment(7)), stream.segments());
    stream.addSegment(segment(0));
    stream.addSegment(segment(3));

    assertEquals(List.of(segment(7), segment(0), segment(3)), stream.segments());
  }

  @Test
  void keepsNoSecondListOfTheOnlySegment() {
    stream.addSegment(segment(0));

    assertSame(stream.segments(), List.copyOf(stream.segments()));
  }

  @Test
  void removesOneOfSeveralAndTheOnlyOne() {
    stream.addSegment(segment(0));
    stream.addSegment(segment(1));
    stream.removeSegment(segment(0));
    assertEquals(List.of(segment(1)), stream.segments());

    stream.removeSegment(segment(1));
    assertEquals(List.of(), stream.segments());
    stream.addSegment(segment(2));
    assertEquals(List.of(segment(2)), stream.segments());
  }
}
