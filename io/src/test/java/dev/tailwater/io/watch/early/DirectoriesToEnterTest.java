package dev.tailwater.io.watch.early;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.PosixPath;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class DirectoriesToEnterTest {
  private static final int PATH_BYTES = 4_000;

  private final DirectoriesToEnter left = new DirectoriesToEnter();

  private int removeAll() {
    int count = 0;
    while (left.poll().isPresent()) {
      count++;
    }
    return count;
  }

  @Test
  void directoriesComeInTheOrderInWhichTheyWereAdded() {
    left.offer(PosixPath.of("/a"));
    left.offer(PosixPath.of("/b"));

    assertEquals(Optional.of(PosixPath.of("/a")), left.poll());
    assertEquals(Optional.of(PosixPath.of("/b")), left.poll());
    assertTrue(left.poll().isEmpty());
  }

  @Test
  void numberOfDirectoriesIsBounded() {
    for (int i = 0; i < 3 * NewDirectories.MOST; i++) {
      left.offer(PosixPath.of("/" + i));
    }

    assertEquals(NewDirectories.MOST, removeAll());
  }

  @Test
  void bytesOfPathsAreBoundedAndRoomComesBack() {
    PosixPath path = PosixPath.of("/".repeat(PATH_BYTES));
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < NewDirectories.MOST; i++) {
        left.offer(path);
      }

      assertEquals(DirectoriesToEnter.MOST_PATH_BYTES / PATH_BYTES, removeAll());
    }
  }
}
