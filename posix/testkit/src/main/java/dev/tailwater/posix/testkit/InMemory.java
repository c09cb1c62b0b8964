package dev.tailwater.posix.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Makes the directory of a test in memory, or where others are if there is little room: for tests
 * that make many files, or wait for many syncs, and are not about the file system. Files have no
 * generation there.
 */
public final class InMemory implements TempDirFactory {
  private static final Path MEMORY = Path.of("/dev/shm");

  /** More than the tests take that run at once. A container often has 64 MiB. */
  private static final long NEEDED_BYTES = 1L << 30;

  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test)
      throws IOException {
    return hasRoom()
        ? Files.createTempDirectory(MEMORY, "junit-")
        : Files.createTempDirectory("junit-");
  }

  private static boolean hasRoom() throws IOException {
    return Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= NEEDED_BYTES;
  }
}
