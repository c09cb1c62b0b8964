package dev.tailwater.restore.name;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.Bytes;
import dev.tailwater.restore.TestArchive;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.name.TargetPath.UnsafePathException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Where no path is in the way of another one, no place is searched for. */
class PathsApartTest {
  private static final String[] NAMES = {
    "a", "b", "a.b", "a-b", "ab", "", ".", "..", ".tailwater-x.partial", ".tailwater-x", "\u00e4"
  };

  private static ArchiveIndex index(String... paths) throws IOException {
    TestArchive archive = TestArchive.inMemory();
    for (int i = 0; i < paths.length; i++) {
      add(archive, "web-1", paths[i], i + 1);
    }
    return archive.index(TestArchive.options());
  }

  private static void add(TestArchive archive, String agent, String path, int birth)
      throws IOException {
    TestArchive.TestStream stream = archive.stream(agent, PosixPath.of("/born"), birth, 0);
    stream.path = PosixPath.of(path);
    stream.segmentAt(0, Bytes.text("x"));
  }

  private static boolean areApart(String... paths) throws IOException {
    return PathsApart.hold(index(paths).streams());
  }

  @Test
  void differentNamesAreApart() throws IOException {
    assertTrue(areApart());
    assertTrue(areApart("/log"));
    assertTrue(areApart("/var/log/app", "/var/log/app.1", "/var/log/app-1/x", "/var/lo", "/z"));
  }

  @Test
  void thePathOfAnotherStreamIsAConflict() throws IOException {
    assertFalse(areApart("/log", "/log"));
    assertFalse(areApart("/a", "/b/log", "/b/log", "/c"));
  }

  @Test
  void aDirectoryOfAnotherStreamIsAConflictWhateverIsBetweenThem() throws IOException {
    assertFalse(areApart("/var/log", "/var/log/app"));
    assertFalse(areApart("/var/log", "/var/log-1", "/var/log.1", "/var/log/app/x", "/var/log0"));
  }

  @Test
  void whatIsWrittenInAnUnusualWayIsAConflict() throws IOException {
    assertFalse(areApart("/var//log"));
    assertFalse(areApart("/var/log/"));
    assertFalse(areApart("/var/.tailwater-x.partial"));
  }

  @Test
  void findsThePlacesThatASearchFinds() throws IOException {
    for (int seed = 0; seed < 1_500; seed++) {
      Random random = new Random(seed);
      TestArchive archive = TestArchive.inMemory();
      int streams = 1 + random.nextInt(6);
      for (int i = 0; i < streams; i++) {
        StringBuilder path = new StringBuilder();
        int depth = 1 + random.nextInt(3);
        for (int at = 0; at < depth; at++) {
          // Mostly plain names, since all others are conflicts of their own.
          path.append('/').append(NAMES[random.nextInt(random.nextInt(4) == 0 ? NAMES.length : 5)]);
        }
        String agent = random.nextInt(3) == 0 ? "web-2" : "web-1";
        if (path.toString().replace("/", "").isEmpty()) {
          path.append("x");
        }
        add(archive, agent, path.toString(), i + 1);
      }
      ArchiveIndex index = archive.index(TestArchive.options());

      assertEquals(
          places(TargetNames.bySearch(index, List.of()), index),
          places(TargetNames.of(index), index),
          "seed " + seed);
      assertEquals(
          TargetNames.bySearch(index, List.of()).contested(),
          TargetNames.contested(index),
          "seed " + seed);
    }
  }

  private static Map<String, String> places(TargetNames names, ArchiveIndex index) {
    Map<String, String> places = new TreeMap<>();
    for (ArchivedStream stream : index.streams()) {
      try {
        places.put(stream.prefix(), names.of(stream).relative().toString());
      } catch (UnsafePathException e) {
        places.put(stream.prefix(), "unsafe: " + e.getMessage());
      }
    }
    return places;
  }
}
