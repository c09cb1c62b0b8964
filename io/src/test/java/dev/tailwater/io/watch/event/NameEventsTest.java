package dev.tailwater.io.watch.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What became of the files that came to one name, as the order of events tells it. */
class NameEventsTest {
  private static final int IN = DirtyNames.MOVED | DirtyNames.MOVED_IN;
  private static final int OUT = DirtyNames.MOVED | DirtyNames.MOVED_OUT;

  private static NameEvents after(int... events) {
    NameEvents name = new NameEvents();
    for (int event : events) {
      name.add(DirtyNames.CHECK | event);
    }
    return name;
  }

  @Test
  void countsEveryFileThatWasCreatedAndDeleted() {
    NameEvents name =
        after(
            DirtyNames.CREATED,
            DirtyNames.DELETED,
            DirtyNames.CREATED,
            DirtyNames.DELETED,
            DirtyNames.CREATED);
    assertEquals(2, name.createdAndGone(false));
    assertTrue(name.hasArrived());
  }

  @Test
  void aFileThatWasThereBeforeIsNotCountedWhenItGoes() {
    NameEvents name = after(DirtyNames.DELETED, DirtyNames.CREATED);
    assertEquals(0, name.createdAndGone(false));
    assertTrue(name.isFormerGone());
    NameEvents moved = after(OUT, DirtyNames.CREATED, DirtyNames.DELETED);
    assertEquals(1, moved.createdAndGone(true));
    assertFalse(moved.isFormerGone());
    assertTrue(moved.hasFormerLeft());
  }

  @Test
  void countsFilesThatARenameReplaces() {
    NameEvents name = after(IN, IN, IN);
    assertEquals(2, name.renamedAndGone());
    assertEquals(0, name.createdAndGone(false));
    NameEvents created = after(DirtyNames.CREATED, IN);
    assertEquals(1, created.createdAndGone(false));
  }

  @Test
  void filesThatAreRenamedAwayAreNotGone() {
    NameEvents name = after(DirtyNames.CREATED, OUT, DirtyNames.CREATED, OUT);
    assertEquals(0, name.createdAndGone(true));
    assertEquals(2, name.renamedAway());
    assertFalse(name.hasArrived());
  }

  @Test
  void mergedEventsOfAnAbsentNameAreOneFile() {
    NameEvents name = after(DirtyNames.CREATED | DirtyNames.DELETED);
    assertEquals(1, name.createdAndGone(true));
    assertEquals(0, name.createdAndGone(false));
    assertFalse(name.hasArrived());
  }

  @Test
  void directoriesAreNotCounted() {
    NameEvents name =
        after(DirtyNames.DIRECTORY | DirtyNames.CREATED, DirtyNames.DIRECTORY | DirtyNames.DELETED);
    assertEquals(0, name.createdAndGone(true));
    assertFalse(name.hasArrived());
  }
}
