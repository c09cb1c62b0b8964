package dev.tailwater.io.watch;

import static dev.tailwater.io.watch.WatchHarness.NOTIFIED_ONLY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Records;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scans that wait for files of some owners, and find those of others all the same. */
final class AheadSearchTest {
  /** The kernel returns fewer of them at once. */
  private static final int FILES = 3_000;

  private static final int PORTION = 4;
  private static final long MANY = 1001;
  private static final long FEW = 1002;

  private final Set<PosixPath> known = new HashSet<>();

  /** How many files of each owner wait. */
  private final Map<Long, Integer> waiting = new HashMap<>();

  private Path root;

  @SuppressWarnings("NullAway.Init") // Each test opens it.
  private DirectoryWatch watch;

  @BeforeEach
  void makeRoot(@TempDir Path base) throws IOException {
    root = Files.createDirectory(base.resolve("root"));
  }

  @AfterEach
  void close() throws IOException {
    watch.close();
  }

  /** Returns calls for which the number at the end of a name is the owner. */
  private static FileCalls owning() {
    FileCalls real = LinuxFileCalls.create();
    return (FileCalls)
        Proxy.newProxyInstance(
            FileCalls.class.getClassLoader(),
            new Class<?>[] {FileCalls.class},
            (_, method, args) -> {
              try {
                Object result = method.invoke(real, args);
                return result instanceof FileStatus status
                        && args.length > 1
                        && args[1] instanceof PosixPath path
                    ? ownedBy(status, path.toString())
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static FileStatus ownedBy(FileStatus status, String name) {
    int at = name.lastIndexOf('@');
    return Records.like(
        status, Map.of("ownerId", at < 0 ? 0L : Long.parseLong(name.substring(at + 1))));
  }

  private void open() throws IOException {
    watch =
        DirectoryWatch.open(
            owning(),
            List.of(PosixPath.of(root)),
            NOTIFIED_ONLY
                .withPortionNames(PORTION)
                .withBacklog(
                    new Backlog() {
                      @Override
                      public int waitingFiles(PosixPath below) {
                        return waiting.values().stream().mapToInt(count -> count).sum();
                      }

                      @Override
                      public Map<Long, Integer> waitingByOwner(PosixPath below) {
                        return Map.copyOf(waiting);
                      }
                    }),
            System::nanoTime);
  }

  private void poll() throws IOException {
    for (WatchChange change : watch.poll(0)) {
      switch (change) {
        case WatchChange.Appeared appeared ->
            assertTrue(known.add(appeared.path()), () -> appeared + " again");
        case WatchChange.Disappeared gone -> assertTrue(known.remove(gone.path()), "" + gone);
        default -> {}
      }
    }
  }

  private void pollUntilHeld() throws IOException {
    do {
      poll();
    } while (!watch.isHeld());
  }

  private void finish() throws IOException {
    waiting.clear();
    while (watch.isScanning()) {
      poll();
    }
  }

  private Path make(Path directory, String name, long owner) throws IOException {
    return Files.createFile(directory.resolve(name + "@" + owner));
  }

  private long knownOf(long owner) {
    return known.stream().filter(path -> path.toString().endsWith("@" + owner)).count();
  }

  private void makeMany(Path directory) throws IOException {
    for (int i = 0; i < FILES; i++) {
      Path _ = make(directory, "a-file-with-a-name-of-some-length-" + i, MANY);
    }
  }

  @Test
  void namesOfOthersAreFoundInADirectoryThatWaitsAndNoMoreOfThoseWhoWait() throws IOException {
    for (int i = 0; i < 10; i++) {
      Path _ = make(root, "early" + i, FEW);
    }
    makeMany(root);
    for (int i = 0; i < 10; i++) {
      Path _ = make(root, "late" + i, FEW);
    }
    open();
    poll();
    waiting.put(MANY, 1);
    pollUntilHeld();
    long many = knownOf(MANY);
    assertTrue(many < FILES, many + " are found");
    assertEquals(20, knownOf(FEW));
    for (int i = 0; i < 10; i++) {
      poll();
    }
    assertEquals(many, knownOf(MANY));
    finish();
    assertEquals(FILES, knownOf(MANY));
    assertEquals(20, knownOf(FEW));
  }

  @Test
  void directoriesOfOthersAreSearchedThoughTheRootMustWait() throws IOException {
    open();
    finish();
    waiting.put(MANY, 1);
    Path of = Files.createDirectories(root.resolve("d@" + FEW).resolve("e@" + FEW));
    Path file = make(of, "file", FEW);
    while (!known.contains(PosixPath.of(file))) {
      poll();
    }
    Path later = make(of, "later", FEW);
    while (!known.contains(PosixPath.of(later))) {
      poll();
    }
    finish();
    assertEquals(2, known.size());
  }

  @Test
  void whoWasPassedOverIsLookedForAgainWhenNothingOfItWaits() throws IOException {
    makeMany(root);
    Path few = make(root, "late", FEW);
    open();
    poll();
    waiting.put(MANY, 1);
    waiting.put(FEW, 1);
    pollUntilHeld();
    if (!known.contains(PosixPath.of(few))) { // The kernel may list it first.
      waiting.remove(FEW);
      while (!known.contains(PosixPath.of(few))) {
        poll();
      }
      assertTrue(knownOf(MANY) < FILES);
    }
    finish();
    assertEquals(FILES + 1, known.size());
  }

  @Test
  void nothingIsLookedForWhileEachOfManyOwnersHasSomeThatWait() throws IOException {
    makeMany(root);
    for (int i = 0; i < FILES; i++) {
      Path _ = make(root, "few" + i, FEW);
    }
    open();
    poll();
    for (long owner = 0; owner < 20; owner++) {
      waiting.put(2_000 + owner, 100);
    }
    pollUntilHeld();
    long before = knownOf(FEW);
    pollUntilHeld();
    assertEquals(before, knownOf(FEW));
    assertTrue(before < FILES, before + " are found");
    finish();
    assertEquals(2 * FILES, known.size());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void everythingIsFoundOnceWhoeverWaitsWhen(long seed) throws IOException {
    Random random = new Random(seed);
    open();
    Set<PosixPath> expected = new HashSet<>();
    for (int step = 0; step < 1_500; step++) {
      long owner = 1L + random.nextInt(4);
      switch (random.nextInt(6)) {
        case 0 -> waiting.put(owner, 1 + random.nextInt(100));
        case 1 -> waiting.remove(owner);
        case 2 -> poll();
        default -> {
          Path directory = root;
          for (int depth = random.nextInt(4); depth > 0; depth--) {
            directory = directory.resolve("d" + random.nextInt(3) + "@" + random.nextInt(5));
          }
          Path file = Files.createDirectories(directory).resolve("f" + step + "@" + owner);
          expected.add(PosixPath.of(Files.createFile(file)));
        }
      }
    }
    watch.requestScan();
    finish();
    assertEquals(expected, known);
    assertFalse(watch.isHeld());
  }
}
