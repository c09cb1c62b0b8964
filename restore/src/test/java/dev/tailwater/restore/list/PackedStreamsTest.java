package dev.tailwater.restore.list;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.posix.PosixPath;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PackedStreamsTest {
  private static ListedStream stream() {
    StreamId id = new StreamId("0".repeat(13) + "-" + "0".repeat(16) + "-" + "0".repeat(7));
    return new ListedStream(StreamName.of("web-1", PosixPath.of("/log"), id));
  }

  @Test
  void findsWhatAMapFinds() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      int bound = 1 << (1 + random.nextInt(30));
      PackedStreams.Numbered streams = new PackedStreams.Numbered();
      Map<Integer, ListedStream> map = new HashMap<>();
      int ascending = 0;
      for (int i = 0; i < 1_000; i++) {
        int number = random.nextBoolean() ? ascending++ : random.nextInt(bound);
        ListedStream stream = stream();
        streams.put(number, stream);
        map.put(number, stream);
        int asked = random.nextInt(bound);
        assertSame(map.get(asked), streams.get(asked));
      }
      map.forEach((number, stream) -> assertSame(stream, streams.get(number)));
    }
  }

  @Test
  void takesTheLargestNumberWithoutMemoryForAllBelow() {
    PackedStreams.Numbered streams = new PackedStreams.Numbered();
    ListedStream stream = stream();

    streams.put(Integer.MAX_VALUE, stream);

    assertSame(stream, streams.get(Integer.MAX_VALUE));
    assertNull(streams.get(Integer.MAX_VALUE - 1));
    assertNull(streams.get(0));
  }
}
