package dev.tailwater.restore.list;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.posix.PosixPath;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ListedStreamsTest {
  private static final String[] PATHS = {
    "/log", "//log", "/log/", "/a/b", "/a//b", "/a%2Fb", "/" + "x/".repeat(400) + "log"
  };
  private static final String[] AGENTS = {"web-1", "web-2"};

  private static StreamId id(int number) {
    return new StreamId("0".repeat(13) + "-" + "0".repeat(15) + number + "-" + "0".repeat(7));
  }

  /** As the key of an object tells it, or as a pack does. */
  private static StreamName name(Random random, String prefix, PosixPath path, StreamId id) {
    return random.nextBoolean()
        ? StreamName.of(ArchiveNames.parse(ArchiveNames.streamObject(prefix)).orElseThrow())
        : StreamName.of(prefix.substring(0, 5), path, id);
  }

  @Test
  void tellsStreamsApartByThePrefixOfTheirKeys() {
    for (int seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      ListedStreams streams = new ListedStreams();
      Map<String, ListedStream> byPrefix = new LinkedHashMap<>();
      for (int i = 0; i < 100; i++) {
        PosixPath path = PosixPath.of(PATHS[random.nextInt(PATHS.length)]);
        StreamId id = id(random.nextInt(4));
        String agent = AGENTS[random.nextInt(2)];
        String prefix = ArchiveNames.streamPrefix(agent, path, id);

        ListedStream found = streams.of(name(random, prefix, path, id));

        assertSame(byPrefix.computeIfAbsent(prefix, _ -> found), found, "seed " + seed);
        assertEquals(prefix, found.name.prefix());
        assertEquals(Optional.of(found), streams.find(prefix));
      }
      assertEquals(List.copyOf(byPrefix.values()), streams.all());
      assertEquals(byPrefix.size(), streams.size());
    }
  }

  @Test
  void findsNothingWhereNoIdIs() {
    ListedStreams streams = new ListedStreams();
    streams.of(StreamName.of("web-1", PosixPath.of("/log"), id(1)));

    assertEquals(Optional.empty(), streams.find(""));
    assertEquals(Optional.empty(), streams.find("web-1/log/"));
    assertEquals(Optional.empty(), streams.find("web-1/log/" + id(2) + "/"));
    assertEquals(Optional.empty(), streams.find("web-1/log/" + id(1)));
  }
}
