package dev.tailwater.io.watch;

import static dev.tailwater.io.watch.WatchHarness.NOTIFIED_ONLY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Call;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scans that wait until the caller has dealt with what was found. */
final class HeldScanTest {
  private static final int FILES = 40;
  private static final int PORTION = 4;

  private final AtomicInteger waits = new AtomicInteger();
  private final FileCalls calls =
      FaultyFileCalls.wrap(LinuxFileCalls.create(), this::countWaits).calls();
  private final Set<PosixPath> known = new HashSet<>();

  /** The roots below which files wait. */
  private final Set<PosixPath> crowded = new HashSet<>();

  @TempDir Path base;
  private Path many;
  private Path few;

  @SuppressWarnings("NullAway.Init") // Each test opens it.
  private DirectoryWatch watch;

  @BeforeEach
  void makeRoots() throws IOException {
    many = Files.createDirectory(base.resolve("many"));
    few = Files.createDirectory(base.resolve("few"));
  }

  @AfterEach
  void close() throws IOException {
    watch.close();
  }

  private void open(WatchOptions options) throws IOException {
    watch =
        DirectoryWatch.open(
            calls,
            List.of(PosixPath.of(many), PosixPath.of(few)),
            options.withPortionNames(PORTION).withBacklog(root -> crowded.contains(root) ? 1 : 0),
            System::nanoTime);
  }

  private Fault countWaits(Call call) {
    if (MountedDirectoriesTest.opensMountTable(call)) {
      return new Fault.Fail(Errno.ENOENT); // Other tests mount, which would end waits.
    }
    if (call.is("pollReadable")) {
      waits.incrementAndGet();
    }
    return Fault.PROCEED;
  }

  private static void make(Path directory, int directories) throws IOException {
    for (int i = 0; i < FILES; i++) {
      Path below = Files.createDirectories(directory.resolve("d" + i % directories));
      Files.createFile(below.resolve("f" + i));
    }
  }

  private List<WatchChange> poll(int timeoutMillis) throws IOException {
    List<WatchChange> changes = watch.poll(timeoutMillis);
    for (WatchChange change : changes) {
      switch (change) {
        case WatchChange.Appeared appeared -> known.add(appeared.path());
        case WatchChange.Disappeared gone -> assertTrue(known.remove(gone.path()), "" + gone);
        default -> {}
      }
    }
    return changes;
  }

  private void pollUntilHeld() throws IOException {
    while (!watch.isHeld()) {
      var _ = poll(0);
    }
  }

  private long knownIn(Path directory) {
    return known.stream().filter(path -> path.startsWith(PosixPath.of(directory))).count();
  }

  private void holdMany() throws IOException {
    var _ = poll(0);
    crowded.add(PosixPath.of(many));
    pollUntilHeld();
  }

  private void finish() throws IOException {
    crowded.clear();
    while (watch.isScanning()) {
      var _ = poll(0);
    }
  }

  @Test
  void nothingMoreIsListedUntilTheCallerHasRoomAndThenEverythingIs() throws IOException {
    make(many, 10);
    open(NOTIFIED_ONLY);
    holdMany();
    long found = knownIn(many);
    assertTrue(found < FILES, found + " are found");
    assertEquals(List.of(), poll(50));
    assertTrue(watch.isScanning());
    assertEquals(found, knownIn(many));
    finish();
    assertFalse(watch.isHeld());
    assertEquals(FILES, knownIn(many));
  }

  @Test
  void restsThoughAnotherScanIsDueSinceThatCannotBegin() throws IOException {
    make(many, 10);
    open(NOTIFIED_ONLY.withReconcileMillis(1));
    holdMany();
    waits.set(0);
    for (int i = 0; i < 4; i++) {
      assertEquals(List.of(), poll(50));
    }
    assertTrue(waits.get() <= 2 * 4, waits + " waits");
    assertTrue(watch.isHeld());
    finish();
    assertEquals(FILES, knownIn(many));
  }

  @Test
  void theOtherRootIsListedMeanwhile() throws IOException {
    make(many, 10);
    make(few, 10);
    open(NOTIFIED_ONLY);
    crowded.add(PosixPath.of(many));
    pollUntilHeld();
    assertEquals(0, knownIn(many));
    assertEquals(FILES, knownIn(few));
    finish();
    assertEquals(2 * FILES, known.size());
  }

  @Test
  void aLongDirectoryWaitsInTheMiddle() throws IOException {
    // The kernel returns more of them at once than a portion has.
    for (int i = 0; i < 3_000; i++) {
      Files.createFile(many.resolve("a-file-with-a-name-of-some-length-" + i));
    }
    open(NOTIFIED_ONLY);
    holdMany();
    assertTrue(knownIn(many) < 3_000, knownIn(many) + " are found");
    finish();
    assertEquals(3_000, knownIn(many));
  }

  @Test
  void whatEventsReportIsLookedAtMeanwhile() throws IOException {
    make(many, 1);
    make(few, 1);
    open(NOTIFIED_ONLY);
    Path file = Files.createFile(many.resolve("first"));
    holdMany();
    while (!known.contains(PosixPath.of(file))) {
      crowded.clear();
      holdMany();
    }
    Files.writeString(file, "more", StandardOpenOption.APPEND);
    WatchChange written = new WatchChange.Modified(PosixPath.of(file));
    while (!poll(1_000).contains(written)) {
      assertTrue(watch.isHeld());
    }
    Path fresh = Files.createFile(many.resolve("fresh"));
    while (!known.contains(PosixPath.of(fresh))) {
      var _ = poll(1_000);
    }
    Files.delete(file);
    while (known.contains(PosixPath.of(file))) {
      var _ = poll(1_000);
    }
    assertTrue(watch.isHeld());
    finish();
    assertEquals(2 * FILES + 1, known.size());
  }

  @Test
  void whatMustBePolledIsPolledMeanwhile() throws IOException {
    make(many, 10);
    Path file = Files.createFile(many.resolve("first"));
    open(
        WatchOptions.defaults()
            .withNotification(NotificationMethod.POLLING)
            .withPollMillis(10)
            .withTickMillis(10));
    while (!known.contains(PosixPath.of(file))) {
      var _ = poll(0);
    }
    crowded.add(PosixPath.of(many));
    Files.writeString(file, "more", StandardOpenOption.APPEND);
    WatchChange written = new WatchChange.Modified(PosixPath.of(file));
    boolean isSeen = false;
    while (!isSeen) {
      isSeen = poll(1_000).contains(written);
    }
    Path fresh = Files.createFile(few.resolve("fresh"));
    while (!known.contains(PosixPath.of(fresh))) {
      var _ = poll(1_000);
    }
    finish();
    assertEquals(FILES + 2, known.size());
  }

  @Test
  void filesThatWaitTakeTheRoomOfNames() throws IOException {
    open(
        NOTIFIED_ONLY
            .withPollMillis(10)
            .withNames(new NameBound(20_000, /* bytesEachFile= */ 100, 0, 0, 10_000)));
    finish();
    crowded.add(PosixPath.of(many));
    for (int i = 0; i < FILES; i++) {
      Files.createFile(many.resolve("f" + i));
    }
    WatchChange full = new WatchChange.Overfull(PosixPath.of(many));
    boolean isFull = false;
    while (!isFull) {
      isFull = poll(1_000).contains(full);
      Files.writeString(many.resolve("new" + known.size()), "");
    }
    crowded.clear();
    while (watch.statistics().leftOut() > 0) {
      var _ = poll(1_000);
    }
    try (var all = Files.list(many)) {
      assertEquals(all.count(), knownIn(many));
    }
  }
}
