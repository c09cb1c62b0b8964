package dev.tailwater.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.StoreWriteException;
import java.nio.file.FileSystemException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a command that has failed tells its user to do. */
class FailureTextTest {
  private static final int ENOSPC = 28;
  private static final String FULL = "No space left on device";
  private static final Optional<String> MAKE_SPACE = ErrnoHints.hint(Errno.ENOSPC);

  @Test
  void aCommandThatEndsSinceADiskIsFullIsToBeRunAgain() {
    ErrnoException write = new ErrnoException("pwrite", "fd 3", ENOSPC, FULL);
    assertEquals(
        MAKE_SPACE, FailureText.hint(new StoreWriteException(PosixPath.of("/state"), write)));
  }

  @Test
  void aFailureOfTheJavaLibraryIsKnownByTheTextOfTheKernel() {
    assertEquals(MAKE_SPACE, FailureText.hint(new FileSystemException("/state", null, FULL)));
    assertEquals(
        Optional.of("check the path, and what is there: ls -ld PATH"),
        FailureText.hint(new FileSystemException("/state", null, "a reason of its own")));
  }

  @Test
  void aThreadThatCannotBeStartedIsNoFullHeap() {
    OutOfMemoryError threads =
        new OutOfMemoryError(
            "unable to create native thread: possibly out of memory or process/resource limits"
                + " reached");
    assertEquals(
        "a thread cannot be started: " + threads.getMessage(), FailureText.message(threads));
    assertEquals(
        Optional.of("raise the limit of processes (TasksMax=, pids.max, ulimit -u)"),
        FailureText.hint(threads));
    assertEquals(Optional.empty(), FailureText.hint(new OutOfMemoryError("Java heap space")));
  }
}
