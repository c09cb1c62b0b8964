package dev.tailwater.archive.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.archive.pack.PackedRange;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.posix.PosixPath;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Packs of several groups under the numbers of one; they may be anybody's. */
class GroupNumbersTest {
  private static final PackGroup EARLIER = new PackGroup("9hq8uvlhiuj8l-0fk3v9a1");
  private static final PackGroup LAST = new PackGroup("9hq8uvlhiuj8m-0fk3v9a1");
  private static final StreamId STREAM = new StreamId("9hq8uvlhiuj8l-91cthkk18sn9dib7-0000000");

  private static PackedStream stream(int number, int epoch) {
    PosixPath path = PosixPath.of("/var/log/app.log");
    return new PackedStream(number, STREAM.withEpoch(epoch), path, path, 0640);
  }

  private static PackDirectory pack(
      PackGroup group, int sequence, List<PackedStream> streams, Integer... ranges) {
    return new PackDirectory(
        new PackId("web-1", group, sequence),
        0,
        List.of(),
        streams,
        Arrays.stream(ranges)
            .map(number -> new PackedRange(number, new ByteRange(0, 10), 0, 0))
            .toList(),
        List.of());
  }

  @Test
  void streamsOfAnEarlierGroupGetTheNumbersOfTheLast() {
    List<PackDirectory> united =
        GroupNumbers.unite(
                List.of(
                    pack(EARLIER, 0, List.of(stream(0, 0), stream(1, 1)), 0, 1),
                    pack(EARLIER, 1, List.of(stream(1, 1))),
                    pack(LAST, 0, List.of(stream(0, 1)), 0)))
            .orElseThrow();
    assertEquals(
        List.of(1, 0), united.getFirst().ranges().stream().map(PackedRange::number).toList());
  }

  @Test
  void packsAreNotUnitedWhereOneStreamHasTwoNumbers() {
    assertEquals(
        Optional.empty(),
        GroupNumbers.unite(
            List.of(
                pack(EARLIER, 0, List.of(stream(0, 0)), 0),
                pack(EARLIER, 1, List.of(stream(1, 0)), 0, 1),
                pack(LAST, 0, List.of(stream(0, 1)), 0))));
  }

  @Test
  void packsAreNotUnitedWhereOneNumberHasTwoStreams() {
    assertEquals(
        Optional.empty(),
        GroupNumbers.unite(
            List.of(
                pack(EARLIER, 0, List.of(stream(0, 0)), 0),
                pack(EARLIER, 1, List.of(stream(0, 1)), 0),
                pack(LAST, 0, List.of(stream(0, 2)), 0))));
  }
}
