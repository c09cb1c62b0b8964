package dev.tailwater.destination.directory;

import static dev.tailwater.destination.directory.Archive.keys;
import static dev.tailwater.destination.directory.Archive.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.ObjectKeys;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What crashed writers leave behind, and what living ones are about to finish. */
class TemporaryFilesTest {
  @TempDir Path root;

  private final FileCalls calls = LinuxFileCalls.create();

  private Path plant(String name, long ageMillis) throws IOException {
    Path directory = Files.createDirectories(root.resolve(ObjectKeys.RESERVED));
    Path file = Files.write(directory.resolve(name), new byte[5]);
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusMillis(ageMillis)));
    return file;
  }

  @Test
  void removesOldLeftoversAndKeepsWhatSomebodyMayBeWriting() throws IOException {
    Path old = plant("old", TemporaryFiles.LEFT_BEHIND_MILLIS + 60_000);
    Path fresh = plant("fresh", TemporaryFiles.LEFT_BEHIND_MILLIS - 60_000);
    Path future = plant("future", -3_600_000);
    try (Destination archive = Archive.open(root, calls)) {
      assertFalse(Files.exists(old));
      assertTrue(Files.exists(fresh));
      assertTrue(Files.exists(future));
      put(archive, "a", 1);
      assertEquals(List.of("a"), keys(archive));
    }
  }

  @Test
  void removesNothingWhenOpenedToRead() throws IOException {
    Path old = plant("old", TemporaryFiles.LEFT_BEHIND_MILLIS + 60_000);
    try (Destination archive = Archive.open(root, calls, OpenIntent.READ)) {
      assertEquals(List.of(), keys(archive));
      assertTrue(Files.exists(old));
    }
  }

  @Test
  void opensAlthoughAnotherUsersLeftoverCannotBeRemoved() throws IOException {
    Path old = plant("old", TemporaryFiles.LEFT_BEHIND_MILLIS + 60_000);
    FaultyFileCalls faulty =
        FaultyFileCalls.wrap(calls, FaultPlan.failOnce("unlink", Errno.EACCES));
    try (Destination archive = Archive.open(root, faulty.calls())) {
      assertTrue(Files.exists(old));
      assertEquals(PutResult.CREATED, put(archive, "a", 1));
    }
  }

  @Test
  void isTransientWhenSomebodyRemovedTheFileBeforeItGotItsName() throws IOException {
    FaultyFileCalls faulty =
        FaultyFileCalls.wrap(
            calls,
            call -> {
              if (call.is("fdatasync")) {
                removeUnfinished();
              }
              return Fault.PROCEED;
            });
    try (Destination archive = Archive.open(root, faulty.calls())) {
      assertThrows(TransientDestinationException.class, () -> put(archive, "a", 1));
      assertEquals(List.of(), keys(archive));
    }
  }

  private void removeUnfinished() {
    for (File file : root.resolve(ObjectKeys.RESERVED).toFile().listFiles()) {
      assertTrue(file.delete());
    }
  }

  @Test
  void makesItsDirectoryAgainWhenSomebodyRemovedIt() throws IOException {
    try (Destination archive = Archive.open(root, calls)) {
      Files.delete(root.resolve(ObjectKeys.RESERVED));
      assertEquals(PutResult.CREATED, put(archive, "a", 1));
    }
  }
}
