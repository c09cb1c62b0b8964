package dev.tailwater.delivery.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class ArrivalsTest {
  private static final PosixPath NAME = PosixPath.of("/logs/name");

  private final Arrivals arrivals = new Arrivals();

  private static FileIdentity file(long inode) {
    return new FileIdentity(1, inode, OptionalLong.empty(), OptionalLong.empty());
  }

  @Test
  void whatCameAndWasNotOpenedIsMissed() {
    arrivals.arrived(NAME, 3);
    arrivals.opened(NAME, file(1));
    assertEquals(Map.of(NAME, 2), arrivals.settle());
    assertEquals(Map.of(), arrivals.settle());
  }

  @Test
  void aFileThatWasOpenedTwiceCountsOnce() {
    arrivals.arrived(NAME, 2);
    arrivals.opened(NAME, file(1));
    arrivals.opened(NAME, file(1));
    assertEquals(Map.of(NAME, 1), arrivals.settle());
  }

  @Test
  void aFileMayBeOpenedOneLookBeforeItsEventsAreCounted() {
    arrivals.opened(NAME, file(1));
    assertEquals(Map.of(), arrivals.settle());
    assertTrue(arrivals.isOpened(NAME));
    arrivals.arrived(NAME, 1);
    assertEquals(Map.of(), arrivals.settle());
    assertFalse(arrivals.isOpened(NAME));
    arrivals.arrived(NAME, 1);
    assertEquals(Map.of(NAME, 1), arrivals.settle(), "it was opened for another file");
  }

  @Test
  void aFileThatWasOpenedTwoLooksBeforeIsForgotten() {
    arrivals.opened(NAME, file(1));
    arrivals.settle();
    arrivals.settle();
    arrivals.arrived(NAME, 1);
    assertEquals(Map.of(NAME, 1), arrivals.settle());
  }

  @Test
  void whatWasOpenedAheadOfItsEventsIsKeptAndTheRestIsUsedUp() {
    arrivals.arrived(NAME, 1);
    arrivals.opened(NAME, file(1));
    arrivals.opened(NAME, file(2));
    assertEquals(Map.of(), arrivals.settle());
    arrivals.arrived(NAME, 2);
    assertEquals(Map.of(NAME, 1), arrivals.settle());
  }

  @Test
  void aFileThatWasRenamedAwayIsNotMissedWhoeverOpenedIt() {
    arrivals.passed(NAME, 2);
    assertEquals(Map.of(), arrivals.settle());
    arrivals.passed(NAME, 1);
    arrivals.arrived(NAME, 1);
    assertEquals(Map.of(NAME, 1), arrivals.settle());
  }
}
