package dev.tailwater.delivery.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.FileOwner;
import dev.tailwater.posix.PosixPath;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SeenFileTest {
  private static final FileOwner OWNER = new FileOwner(1, 2, "daemon", "bin");
  private static final PosixPath PATH = PosixPath.of("/app.log");

  private final SeenFile file = SeenFile.at(PATH, 1_000);

  private static Place arrived(long nanos) {
    return new Place(PATH, OptionalLong.of(nanos));
  }

  @Test
  void aFileIsBackIfItHasArrivedOnceMore() {
    file.seen(arrived(10), 0600, 1, OWNER, 1_500);
    assertFalse(file.cameBack(arrived(10)));
    assertTrue(file.cameBack(arrived(30)));
  }

  @Test
  void ofAFileThatIsSeenFirstNobodyKnowsWhetherItIsBack() {
    assertFalse(file.cameBack(arrived(10)));
  }

  @Test
  void anotherModeOrOwnerAltersAFile() {
    file.seen(arrived(10), 0600, 1, OWNER, 1_500);
    assertFalse(file.isOtherThan(0600, Optional.of(OWNER)));
    assertTrue(file.isOtherThan(0640, Optional.of(OWNER)));
    assertTrue(file.isOtherThan(0600, Optional.of(new FileOwner(3, 2, "daemon", "bin"))));
    assertTrue(file.isOtherThan(0600, Optional.of(new FileOwner(1, 3, "daemon", "bin"))));
  }

  @Test
  void anotherNameOfTheSameOwnerAltersNothing() {
    file.seen(arrived(10), 0600, 1, OWNER, 1_500);
    assertFalse(file.isOtherThan(0600, Optional.of(new FileOwner(1, 2, "renamed", "bin"))));
  }

  @Test
  void anOwnerThatNoRunHasNotedIsNotAnother() {
    assertFalse(file.isOtherThan(0, Optional.of(OWNER)));
  }

  @Test
  void aCheckpointNeedsNoSavingJustBecauseTheFileWasSeenAgain() {
    file.seen(arrived(10), 0600, 1, OWNER, 1_500);
    int before = file.hashOfCheckpoint();
    file.seen(arrived(10), 0600, 1, OWNER, 1_600);
    assertEquals(before, file.hashOfCheckpoint());
    file.seen(arrived(10), 0600, 2, OWNER, 1_700);
    assertNotEquals(before, file.hashOfCheckpoint());
    assertEquals(
        new Checkpoint.LastSeen(PATH, 0600, 2, 1_700, Optional.of(OWNER), OptionalLong.empty()),
        file.lastSeen());
  }
}
