package dev.tailwater.delivery.drain;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.risk.LaneLoad;
import dev.tailwater.posix.PosixPath;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Files whose sizes cannot be added up hide no bytes at risk. */
final class LeftBehindBytesTest {
  private static LeftBehind largest(String name) {
    return new LeftBehind(
        PosixPath.of(Path.of("/" + name)),
        new StreamId("0".repeat(13) + "-" + name.repeat(16) + "-" + "0".repeat(7)),
        List.of(new ByteRange(0, Long.MAX_VALUE)),
        false);
  }

  @Test
  void twoOfTheLargestFilesAreNotFewerBytesThanOne() {
    List<LeftBehind> files = List.of(largest("a"), largest("b"));
    assertEquals(Long.MAX_VALUE, new DestinationDrain("d", true, 0, 0, files).leftBehindBytes());
  }

  @Test
  void bytesInFlightAreAddedToThoseOfTheLargestFile() {
    assertEquals(Long.MAX_VALUE, new LaneLoad.Backlog(Long.MAX_VALUE, 0, 9, 0).atRiskBytes());
  }
}
