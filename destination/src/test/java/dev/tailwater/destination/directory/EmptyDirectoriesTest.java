package dev.tailwater.destination.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.Destinations;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmptyDirectoriesTest {
  @TempDir private Path directory;

  private Destination open() throws IOException {
    return Destinations.open(
        directory.toString(),
        OpenIntent.WRITE,
        new DestinationContext(LinuxFileCalls.create(), InstantSource.system(), new Random(1)));
  }

  @Test
  void removesWhatDeletedObjectsLeft() throws IOException {
    try (Destination place = open()) {
      for (String key : new String[] {"probe/a/b/1", "probe/a/2", "probe/é/d/e/f/3", "other/4"}) {
        place.putSegment(key, ByteBuffer.allocate(1));
        place.delete(key);
      }
      place.removeEmptyFolders("probe");
      assertFalse(Files.exists(directory.resolve("probe")));
      assertTrue(Files.exists(directory.resolve("other")), "it was not meant");
      place.removeEmptyFolders("other");
      place.removeEmptyFolders("other");
      place.removeEmptyFolders("no/such/folder");
      assertFalse(Files.exists(directory.resolve("other")));
    }
  }

  @Test
  void leavesWhatIsNotEmpty() throws IOException {
    Path outside = Files.createDirectory(directory.resolve("outside"));
    try (Destination place = open()) {
      place.putSegment("probe/full/1", ByteBuffer.allocate(1));
      place.putSegment("probe/gone/2", ByteBuffer.allocate(1));
      place.delete("probe/gone/2");
      Files.createSymbolicLink(directory.resolve("probe/link"), outside);
      place.removeEmptyFolders("probe");
      assertTrue(Files.exists(directory.resolve("probe/full/1")));
      assertFalse(Files.exists(directory.resolve("probe/gone")));
      assertTrue(Files.exists(outside), "it went through a symbolic link");
      place.removeEmptyFolders("probe/full/1");
      assertEquals(1, Files.size(directory.resolve("probe/full/1")));
    }
  }

  @Test
  void refusesToLeaveTheArchive() throws IOException {
    try (Destination place = open()) {
      for (String folder : new String[] {"", "..", "a/../..", "/etc", "a/"}) {
        assertThrows(
            PermanentDestinationException.class, () -> place.removeEmptyFolders(folder), folder);
      }
    }
  }
}
