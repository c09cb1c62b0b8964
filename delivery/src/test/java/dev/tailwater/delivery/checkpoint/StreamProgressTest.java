package dev.tailwater.delivery.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.PosixPath;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class StreamProgressTest {
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
    killed.seen(SECOND, 0600, 1, 1_500);
    killed.acknowledge(new ByteRange(0, 100), Marker.NONE); // Its header has the second path.
    StreamProgress resumed = StreamProgress.resume(killed.checkpoint());
    resumed.seen(FIRST, 0600, 1, 2_000);
    assertEquals(FIRST, resumed.undescribed().orElseThrow().record().lastPath());
  }

  @Test
  void segmentsThatNoCheckpointKnowsMayHaveAnyPathInTheirHeaders() {
    StreamProgress resumed = StreamProgress.resume(stream().checkpoint());
    assertTrue(resumed.undescribed().isEmpty());
    resumed.holdsUnknownHeaders();
    assertEquals(FIRST, resumed.undescribed().orElseThrow().record().lastPath());
  }

  @Test
  void aRecordStandsAboveHeaders() {
    StreamProgress recorded = stream();
    recorded.seen(SECOND, 0600, 1, 1_500);
    recorded.described(recorded.undescribed().orElseThrow());
    StreamProgress resumed = StreamProgress.resume(recorded.checkpoint());
    resumed.holdsUnknownHeaders();
    assertTrue(resumed.undescribed().isEmpty());
  }
}
