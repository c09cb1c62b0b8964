package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.NumberedCalls;
import dev.tailwater.posix.value.EntryType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * FAT, exFAT and most FUSE file systems give out inode numbers anew with every mount, and have no
 * generations. A file may get the number of another one of its size and its time.
 */
class InodeNumbersGivenOutAnewTest {
  private static final FileTime TIME = FileTime.fromMillis(1_795_000_000_000L);

  private TestAgent.Place place;
  private Path one;
  private Path other;

  @BeforeEach
  void choosePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    one = place.log("one.db");
    other = place.log("other.db");
  }

  /** Writes bytes that end in zeros, as files do whose room is taken beforehand. */
  private static void write(Path file, char begin, int lengthBytes) throws IOException {
    byte[] bytes = new byte[lengthBytes];
    Arrays.fill(bytes, 0, lengthBytes - 1_000, (byte) begin);
    Files.write(file, bytes);
    Files.setLastModifiedTime(file, TIME);
  }

  /** Delivers everything with an agent that sees these numbers. */
  private boolean drain(Map<Path, Long> numbers) throws Exception {
    FileCalls calls = withNumbers(numbers);
    try (TestAgent agent =
        TestAgent.start(
            place.config(), place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE), calls)) {
      return agent.drain().isComplete();
    }
  }

  private Map<Path, Long> first() {
    return Map.of(one, 1L, other, 2L);
  }

  private Map<Path, Long> swapped() {
    return Map.of(one, 2L, other, 1L);
  }

  private static FileCalls withNumbers(Map<Path, Long> numbers) throws IOException {
    Map<Long, Long> byRealNumber = new HashMap<>();
    for (Map.Entry<Path, Long> entry : numbers.entrySet()) {
      byRealNumber.put((Long) Files.getAttribute(entry.getKey(), "unix:ino"), entry.getValue());
    }
    return NumberedCalls.of(
        TestAgent.REAL_CALLS,
        status -> {
          Long number = byRealNumber.get(status.inode());
          return status.type() == EntryType.REGULAR && number != null
              ? OptionalLong.of(number)
              : OptionalLong.empty();
        });
  }

  /** Asserts that whoever restores a path gets the file's bytes. */
  private void assertArchived(Path file) throws Exception {
    PosixPath path = PosixPath.of(file);
    List<ArchiveContents.StreamContents> streams =
        place.contents().streams().stream().filter(stream -> isAt(stream, path)).toList();
    assertFalse(streams.isEmpty(), "nothing is archived at " + file);
    assertArrayEquals(Files.readAllBytes(file), streams.getLast().prefix(), file.toString());
  }

  private static boolean isAt(ArchiveContents.StreamContents stream, PosixPath path) {
    return stream.record().orElseThrow().paths().getLast().path().equals(path);
  }

  @ParameterizedTest
  @ValueSource(ints = {2_000, 10_000, 200_000})
  void eachFileIsArchivedUnderItsName(int lengthBytes) throws Exception {
    write(one, 'a', lengthBytes);
    write(other, 'b', lengthBytes);
    assertTrue(drain(first()));
    assertTrue(drain(swapped()));
    assertArchived(one);
    assertArchived(other);
  }
}
