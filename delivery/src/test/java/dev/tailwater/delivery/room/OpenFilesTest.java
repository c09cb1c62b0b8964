package dev.tailwater.delivery.room;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.open.TailOpener;
import dev.tailwater.delivery.tail.ArchivedNames;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OpenFilesTest {
  private static final int MOST = 100;

  /** With the part of those that are opened early. */
  private static final int DESCRIPTORS = 114;

  private static final int EARLY = DESCRIPTORS - MOST;
  private static final long HOST = 0;
  private static final long GUEST = 1001;
  private static final long OTHER_GUEST = 1002;
  private static final PosixPath MANY = PosixPath.of("/many");
  private static final PosixPath FEW = PosixPath.of("/few");

  private final FileCalls calls = LinuxFileCalls.create();
  private final OpenFiles files = openFiles(10 * MOST);
  private final List<WatchedFile> made = new ArrayList<>();

  @TempDir Path directory;

  private OpenFiles openFiles(int mostInMemory) {
    return new OpenFiles(
        calls, DESCRIPTORS, mostInMemory, List.of(MANY, FEW), _ -> OptionalLong.of(HOST));
  }

  @AfterEach
  void closeAll() throws Exception {
    for (WatchedFile file : made) {
      file.giveUpDescriptor();
    }
  }

  private WatchedFile open(PosixPath path) throws Exception {
    WatchedFile file = opened(path);
    files.opened(path, HOST, file);
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
    for (PosixPath path = root.resolve("f0"); files.hasRoom(path, HOST); opened++) {
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
    files.openedEarly(path, HOST, file);
    assertFalse(files.takeEarly(path), "its place is taken all the same");
    files.closed(file);
    assertTrue(files.takeEarly(path));
    files.closed(made.getFirst());
    files.openedEarly(path, HOST, file);
    assertTrue(files.takeEarly(path), "it has another place now");
    assertFalse(files.hasRoom(path, HOST));
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
      assertFalse(files.makeRoom(MANY.resolve("more"), HOST, file -> !asked.add(file)));
      assertTrue(asked.size() - before <= 32, "asked " + (asked.size() - before) + " at once");
      tries++;
    }
    assertEquals(3, tries);
    assertTrue(
        files.makeRoom(
            MANY.resolve("more"),
            HOST,
            file -> {
              files.closed(file);
              return true;
            }));
    assertTrue(files.hasRoom(MANY.resolve("more"), HOST));
  }

  @Test
  void descriptorsAreShortOnlyWhereSomebodyWaitsForOne() throws Exception {
    PosixPath path = MANY.resolve("f");
    openUntilFull(MANY);
    assertFalse(files.isShort(path), "nobody waits");
    files.await(MANY.resolve("waiting"), HOST);
    assertTrue(files.isShort(path));
    assertFalse(files.isShort(FEW.resolve("f")), "nobody waits there");
    files.forget(MANY.resolve("waiting"));
    assertFalse(files.isShort(path));
  }

  @Test
  void whoWaitsIsServedWhenThereIsRoomAndASourceWithoutRoomHoldsUpNoOther() {
    files.await(MANY.resolve("a"), HOST);
    files.await(MANY.resolve("b"), HOST);
    files.await(FEW.resolve("c"), HOST);
    files.await(FEW.resolve("d"), HOST);
    files.forget(FEW.resolve("d"));
    assertTrue(files.isAwaited(FEW.resolve("c")));
    assertFalse(files.isAwaited(FEW.resolve("d")));
    List<PosixPath> offered = new ArrayList<>();
    files.retry(
        (path, _) -> {
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

  @Test
  void aGuestWhoHasManyFilesLeavesPlacesInMemoryForOthers() throws Exception {
    OpenFiles few = openFiles(MOST / 2);
    int guests = 0;
    while (few.hasRoom(MANY, GUEST)) {
      few.opened(MANY, GUEST, opened(MANY.resolve("g")));
      guests++;
    }
    assertTrue(few.isMemoryFull(MANY, GUEST));
    assertFalse(few.isMemoryFull(MANY));
    assertTrue(few.hasRoom(MANY, OTHER_GUEST), "the first guest has " + guests);
    WatchedFile other = opened(MANY.resolve("o"));
    few.opened(MANY, OTHER_GUEST, other);
    assertTrue(few.hasRoom(MANY, HOST), "who owns the source may have all that is left");
    few.closed(other);
    for (WatchedFile file : made) {
      few.closed(file);
    }
    assertTrue(few.hasRoomForAll(MANY));
  }

  @Test
  void aGuestWhoOpensManyFilesEarlyLeavesPlacesForOthers() {
    int guests = 0;
    while (files.takeEarly(MANY) && files.ownEarly(MANY, GUEST)) {
      guests++;
    }
    files.giveEarly(MANY); // The one that was refused.
    assertTrue(guests > 0);
    assertTrue(files.takeEarly(MANY));
    assertTrue(files.ownEarly(MANY, OTHER_GUEST), "the first guest has " + guests);
    files.giveEarly(MANY, GUEST);
    files.giveEarly(MANY, OTHER_GUEST);
    assertTrue(files.takeEarly(MANY) && files.ownEarly(MANY, GUEST));
  }

  @Test
  void oneWithoutRoomHoldsUpNoOtherOwner() {
    for (int i = 0; i < MOST; i++) {
      files.await(MANY.resolve("g" + i), GUEST);
    }
    files.await(MANY.resolve("o"), OTHER_GUEST);
    List<PosixPath> offered = new ArrayList<>();
    files.retry(
        (path, owner) -> {
          offered.add(path);
          if (owner == OTHER_GUEST) {
            files.forget(path);
          }
          return owner == OTHER_GUEST;
        });
    assertEquals(List.of(MANY.resolve("g0"), MANY.resolve("o")), offered.subList(0, 2));
    assertTrue(offered.size() <= 4, "who has no room is not asked for each file");
    assertEquals(Map.of(GUEST, (long) MOST), files.waitingByOwner());
  }
}
