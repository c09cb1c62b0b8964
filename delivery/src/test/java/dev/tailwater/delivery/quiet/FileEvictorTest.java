package dev.tailwater.delivery.quiet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.open.TailOpener;
import dev.tailwater.delivery.tail.ArchivedNames;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which files leave memory, and when. */
final class FileEvictorTest {
  private static final int STAY = 2;

  private final Set<WatchedFile> busy = new HashSet<>();
  private final List<WatchedFile> left = new ArrayList<>();
  private final List<WatchedFile> files = new ArrayList<>();
  private long nanos;
  private long askedNanos;
  private int asked;

  private final FileEvictor evictor =
      new FileEvictor(
          new FileEvictor.Exit() {
            @Override
            public boolean mayLeave(WatchedFile file, boolean atOnce) {
              asked++;
              nanos += askedNanos;
              return !busy.contains(file);
            }

            @Override
            public List<WatchedFile> leave(List<WatchedFile> leaving, boolean atOnce) {
              left.addAll(leaving);
              return List.of();
            }
          },
          STAY,
          () -> nanos);

  @TempDir private Path directory;

  @BeforeEach
  void findFiles() throws Exception {
    findFiles(2 * STAY);
  }

  private void findFiles(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      PosixPath path = PosixPath.of(Files.createFile(directory.resolve("f" + files.size())));
      TailOpener.Opened opened =
          new TailOpener(LinuxFileCalls.create(), false, List.of()).open(path).orElseThrow();
      WatchedFile file =
          new WatchedFile(
              opened.descriptor(), path, opened.identity(), new ArchivedNames(List.of()), _ -> {});
      files.add(file);
      evictor.found(file);
    }
  }

  @AfterEach
  void closeFiles() throws Exception {
    for (WatchedFile file : files) {
      file.giveUpDescriptor();
    }
  }

  private void stepAfterSeconds(int seconds) {
    nanos += TimeUnit.SECONDS.toNanos(seconds);
    evictor.step();
  }

  @Test
  void whatWasFoundFirstLeavesAtOnce() {
    stepAfterSeconds(1);
    assertEquals(files.subList(0, STAY), left);
    assertTrue(evictor.stepAfterMillis().isEmpty(), "nobody is to leave any more");
  }

  @Test
  void whatIsWrittenToStaysForAWhile() {
    files.forEach(evictor::active);
    stepAfterSeconds(9);
    assertEquals(List.of(), left);
    stepAfterSeconds(2);
    assertEquals(files.subList(0, STAY), left);
  }

  @Test
  void someOfThoseWrittenToLongestAgoLeaveWhenOthersNeedTheirMemory() {
    files.forEach(evictor::active);
    evictor.makeRoom();
    assertEquals(files.subList(0, 1), left);
    evictor.makeRoom();
    evictor.makeRoom();
    assertEquals(files.subList(0, STAY), left, "as many as always stay");
  }

  @Test
  void filesThatAreAllBusyAreAskedForRoomInATenthOfTheTime() {
    busy.addAll(files);
    askedNanos = 1_000;
    evictor.makeRoom();
    assertEquals(files.size(), asked);
    busy.clear();
    nanos += 9L * files.size() * askedNanos - 1;
    evictor.makeRoom();
    assertEquals(List.of(), left);
    nanos++;
    evictor.makeRoom();
    evictor.makeRoom();
    assertEquals(files.subList(0, STAY), left, "where there was room, it is looked for at once");
  }

  @Test
  void aSearchThatTheMachineHeldUpIsFollowedByAnotherSoon() {
    busy.addAll(files);
    askedNanos = TimeUnit.SECONDS.toNanos(1);
    evictor.makeRoom();
    assertEquals(files.size(), asked);
    busy.clear();
    nanos += TimeUnit.MILLISECONDS.toNanos(500) - 1;
    evictor.makeRoom();
    assertEquals(files.size(), asked);
    nanos++;
    evictor.makeRoom();
    assertEquals(files.subList(0, 1), left);
  }

  @Test
  void whereTooFewCanLeaveAllAreAskedAgainTheLaterTheMoreAreMissing() throws Exception {
    findFiles(10 - 2 * STAY); // Of ten and of nine, two are to leave.
    busy.addAll(files.subList(0, files.size() - 1));
    askedNanos = 1_000;
    evictor.makeRoom();
    assertEquals(List.of(files.getLast()), left);
    busy.clear();
    nanos += 9L * files.size() * askedNanos / 2 - 1;
    evictor.makeRoom();
    assertEquals(1, left.size());
    nanos++;
    evictor.makeRoom();
    assertEquals(3, left.size());
  }

  @Test
  void whatWasWrittenToALittleLaterIsNoLongerAmongTheFirstToLeave() {
    nanos += TimeUnit.SECONDS.toNanos(5);
    evictor.active(files.getFirst());
    evictor.makeRoom();
    evictor.makeRoom();
    assertEquals(files.subList(1, 3), left);
  }

  @Test
  void whatIsWrittenToAllTheTimeIsMovedOnlyOnceInAWhile() {
    for (int i = 0; i < 4; i++) {
      nanos += TimeUnit.SECONDS.toNanos(1);
      evictor.active(files.getFirst());
    }
    evictor.makeRoom();
    assertEquals(files.subList(0, 1), left, "its turn is still that of when it was found");
  }

  @Test
  void othersLeaveInsteadOfThoseThatAreBusy() {
    busy.addAll(files.subList(0, STAY));
    stepAfterSeconds(1);
    assertEquals(files.subList(STAY, 2 * STAY), left);
  }

  @Test
  void filesThatAreAlwaysBusyAreAskedLessOften() {
    busy.addAll(files);
    stepAfterSeconds(1);
    int firstMillis = evictor.stepAfterMillis().orElseThrow();
    stepAfterSeconds(1);
    assertEquals(2 * firstMillis, evictor.stepAfterMillis().orElseThrow());
    busy.clear();
    stepAfterSeconds(1);
    assertEquals(STAY, left.size());
  }
}
