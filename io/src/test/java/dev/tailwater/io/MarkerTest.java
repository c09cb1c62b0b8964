package dev.tailwater.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Markers over real files. */
final class MarkerTest {
  private final FileCalls calls =
      FaultyFileCalls.wrap(LinuxFileCalls.create(), FaultPlan.shortenAll("pread", 100)).calls();
  private final byte[] content = new byte[1000];

  @TempDir Path directory;

  MarkerTest() {
    new SplittableRandom(3).nextBytes(content);
  }

  private Descriptor open(byte[] bytes) throws IOException {
    Path file = Files.write(directory.resolve("x"), bytes);
    return Descriptor.open(calls, FileCalls.AT_FDCWD, PosixPath.of(file), Set.of(), 0);
  }

  @Test
  void fromMemoryAndFromTheFileAreTheSame() throws IOException {
    try (Descriptor file = open(content)) {
      for (int end : new int[] {0, 1, 255, 256, 257, 1000}) {
        Marker marker = Marker.of(content, end);
        assertEquals(Math.min(256, end), marker.lengthBytes());
        assertEquals(marker, Marker.before(calls, file.fd(), end));
        assertTrue(marker.matches(calls, file.fd(), end));
      }
      assertEquals(Marker.NONE, Marker.of(content, 0));
    }
  }

  @Test
  void coversNothingBeforeTheBeginThatIsGiven() {
    byte[] part = Arrays.copyOfRange(content, 500, 700);
    assertEquals(Marker.of(part, 200), Marker.of(content, 500, 700));
    assertEquals(Marker.of(content, 700), Marker.of(content, 300, 700));
    assertEquals(Marker.NONE, Marker.of(content, 700, 700));
    assertThrows(IndexOutOfBoundsException.class, () -> Marker.of(content, 900, 1001));
  }

  @Test
  void everyChangedByteAndEveryShorterFileIsSeen() throws IOException {
    Marker marker = Marker.of(content, 600);
    for (int i = 344; i < 600; i += 51) {
      byte[] changed = content.clone();
      changed[i] ^= 1;
      try (Descriptor file = open(changed)) {
        assertFalse(marker.matches(calls, file.fd(), 600));
      }
    }
    byte[] elsewhere = content.clone();
    elsewhere[343] ^= 1;
    elsewhere[600] ^= 1;
    try (Descriptor file = open(elsewhere)) {
      assertTrue(marker.matches(calls, file.fd(), 600));
    }
    try (Descriptor file = open(Arrays.copyOf(content, 599))) {
      assertFalse(marker.matches(calls, file.fd(), 600));
      assertFalse(Marker.NONE.matches(calls, file.fd(), 600));
      assertTrue(Marker.NONE.matches(calls, file.fd(), 0));
      assertThrows(EOFException.class, () -> Marker.before(calls, file.fd(), 600));
    }
  }

  @Test
  void lengthsThatCannotBeAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new Marker(257, 0));
    assertThrows(IllegalArgumentException.class, () -> new Marker(-1, 0));
  }

  @Test
  void closedDescriptorIsCaught() throws IOException {
    Descriptor file = open(content);
    file.close();
    IllegalStateException twice = assertThrows(IllegalStateException.class, file::close);
    assertTrue(twice.toString().contains(directory.resolve("x").toString()));
    assertThrows(IllegalStateException.class, file::fd);
  }
}
