package dev.tailwater.delivery.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.tail.ArchivedNames;
import dev.tailwater.delivery.tail.TailOpener;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OpenFilesTest {
  private static final int MOST = 100;

  /** With the part of those that are opened early. */
  private static final int DESCRIPTORS = 114;

  private static final int EARLY = DESCRIPTORS - MOST;
  private static final PosixPath MANY = PosixPath.of("/many");
  private static final PosixPath FEW = PosixPath.of("/few");

  private final FileCalls calls = LinuxFileCalls.create();
  private final OpenFiles files = new OpenFiles(calls, DESCRIPTORS, 10 * MOST, List.of(MANY, FEW));
  private final List<WatchedFile> made = new ArrayList<>();

  @TempDir Path directory;

  @AfterEach
  void closeAll() throws Exception {
    for (WatchedFile file : made) {
      file.giveUpDescriptor();
    }
  }

  private WatchedFile open(PosixPath path) throws Exception {
    WatchedFile file = opened(path);
    files.opened(path, file);
    return file;
  }

  private WatchedFile opened(PosixPath path) throws Exception {
    Path real = Files.writeString(directory.resolve("f" + made.size()), "x");
    TailOpener.Opened opened =
        new TailOpener(calls, false, List.of()).open(PosixPath.of(real)).orElseThrow();
    WatchedFile file =
        new WatchedFile(
            opened.descriptor(), path, opened.identity(), new ArchivedNames(List.of()), _ -> {});
    made.add(file);
    return file;
  }

  private int openUntilFull(PosixPath root) throws Exception {
    int opened = 0;
    for (PosixPath path = root.resolve("f0"); files.hasRoom(path); opened++) {
      open(path);
      path = root.resolve("f" + opened);
    }
    return opened;
  }

  @Test
  void aSourceThatHasMoreFilesThanDescriptorsLeavesTheOthersTheirPart() throws Exception {
    assertEquals(3 * MOST / 4, openUntilFull(MANY));
    assertEquals(MOST / 4, openUntilFull(FEW));
  }

  @Test
  void aSourceThatOpensManyFilesEarlyLeavesTheOthersTheirPart() {
    int many = 0;
    while (files.takeEarly(MANY.resolve("f"))) {
      many++;
    }
    assertTrue(many < EARLY, "the other source keeps a part of " + EARLY + ", not " + many);
    assertTrue(files.takeEarly(FEW.resolve("f")));
    files.giveEarly(MANY.resolve("f"));
    assertTrue(files.takeEarly(MANY.resolve("f")));
    assertEquals(3 * MOST / 4, countRoom(MANY), "the places of the others are not touched");
  }

  private int countRoom(PosixPath root) {
    try {
      return openUntilFull(root);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aFileThatWasOpenedEarlyKeepsItsPlaceUntilThereIsOtherRoom() throws Exception {
    openUntilFull(MANY);
    PosixPath path = MANY.resolve("early");
    int places = 0;
    while (files.takeEarly(path)) {
      places++;
    }
    WatchedFile file = opened(path);
    files.openedEarly(path, file);
    assertFalse(files.takeEarly(path), "its place is taken all the same");
    files.closed(file);
    assertTrue(files.takeEarly(path));
    files.closed(made.getFirst());
    files.openedEarly(path, file);
    assertTrue(files.takeEarly(path), "it has another place now");
    assertFalse(files.hasRoom(path));
    assertTrue(places > 0);
  }

  @Test
  void whatIsOpenIsAskedInTurnWhetherItCanBeClosed() throws Exception {
    openUntilFull(MANY);
    WatchedFile last = made.getLast();
    List<WatchedFile> asked = new ArrayList<>();
    int tries = 0;
    while (!asked.contains(last)) {
      int before = asked.size();
      assertFalse(files.makeRoom(MANY.resolve("more"), file -> !asked.add(file)));
      assertTrue(asked.size() - before <= 32, "asked " + (asked.size() - before) + " at once");
      tries++;
    }
    assertEquals(3, tries);
    assertTrue(
        files.makeRoom(
            MANY.resolve("more"),
            file -> {
              files.closed(file);
              return true;
            }));
    assertTrue(files.hasRoom(MANY.resolve("more")));
  }

  @Test
  void whoWaitsIsServedWhenThereIsRoomAndASourceWithoutRoomHoldsUpNoOther() {
    files.await(MANY.resolve("a"));
    files.await(MANY.resolve("b"));
    files.await(FEW.resolve("c"));
    files.await(FEW.resolve("d"));
    files.forget(FEW.resolve("d"));
    assertTrue(files.isAwaited(FEW.resolve("c")));
    assertFalse(files.isAwaited(FEW.resolve("d")));
    List<PosixPath> offered = new ArrayList<>();
    files.retry(
        path -> {
          offered.add(path);
          boolean room = path.startsWith(FEW);
          if (room) {
            files.forget(path);
          }
          return room;
        });
    assertEquals(List.of(MANY.resolve("a"), FEW.resolve("c")), offered);
    assertTrue(files.anyAwaited());
  }
}
