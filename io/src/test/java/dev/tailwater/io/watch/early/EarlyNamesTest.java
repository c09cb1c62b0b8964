package dev.tailwater.io.watch.early;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.io.WrappedCalls;
import dev.tailwater.io.watch.DirectoryWatch;
import dev.tailwater.io.watch.WatchChange;
import dev.tailwater.io.watch.WatchOptions;
import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names that appear below real directories, told before the watch looks. */
class EarlyNamesTest {
  private static final int MANY = 200;
  private static final FileCalls CALLS = LinuxFileCalls.create();
  private static final int LONG_TICK_MILLIS = 2_000;
  private static final long SECONDS = 30;
  private static final String NAMES_THREAD = "names";

  private final Told told = new Told();
  private Path root;

  /** What the listener was told, as text. */
  private static class Told implements NameListener {
    final LinkedBlockingQueue<String> all = new LinkedBlockingQueue<>();

    @Override
    public void reading() {}

    @Override
    public void caughtUp() {}

    @Override
    public void created(PosixPath path) {
      all.add("created " + path.fileName());
    }

    @Override
    public void listed(PosixPath path) {
      all.add("listed " + path.fileName());
    }

    @Override
    public void renamed(PosixPath from, PosixPath path) {
      all.add("renamed " + from.fileName() + " to " + path.fileName());
    }

    @Override
    public void movedIn(PosixPath path) {
      all.add("moved in " + path.fileName());
    }

    @Override
    public void movedOut(PosixPath path) {
      all.add("moved out " + path.fileName());
    }

    @Override
    public void deleted(PosixPath path) {
      all.add("deleted " + path.fileName());
    }

    @Override
    public void directoryRenamed(PosixPath from, PosixPath path) {
      all.add("directory " + from.fileName() + " is " + path.fileName());
    }

    @Override
    public void directoryReleased(PosixPath path) {
      all.add("released " + path.fileName());
    }

    @Override
    public void overflowed() {
      all.add("overflowed");
    }

    @Override
    public void limited(ErrnoException why) {
      all.add("limited " + why.errno());
    }

    @Override
    public void failed(Throwable why) {
      all.add("failed " + why);
    }

    String next() throws InterruptedException {
      return Optional.ofNullable(all.poll(SECONDS, TimeUnit.SECONDS)).orElse("nothing");
    }

    void await(String what) throws InterruptedException {
      String last = next();
      while (!last.equals(what)) {
        assertNotEquals("nothing", last, what);
        last = next();
      }
    }
  }

  /** A watch that has looked once, and the thread that tells of names. */
  private final class Running implements AutoCloseable {
    final DirectoryWatch watch;
    final Thread thread;

    Running(FileCalls calls) throws IOException {
      this(calls, List.of(root));
    }

    Running(FileCalls calls, List<Path> roots) throws IOException {
      watch =
          DirectoryWatch.open(
              calls,
              roots.stream().map(PosixPath::of).toList(),
              WatchOptions.defaults()
                  .withWanted(path -> !path.toString().endsWith(".no"))
                  .withTickMillis(LONG_TICK_MILLIS),
              System::nanoTime,
              Optional.of(told));
      thread =
          Thread.ofPlatform()
              .name(NAMES_THREAD)
              .start(() -> watch.names().ifPresent(EarlyNames::run));
      watch.poll(0);
    }

    @Override
    public void close() throws IOException {
      watch.close();
      boolean interrupted = false;
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @BeforeEach
  void choosePlace(@TempDir Path base) throws Exception {
    root = base.toRealPath();
  }

  private Path write(String name) throws IOException {
    return Files.writeString(root.resolve(name), "x");
  }

  @Test
  void tellsOfNamesAlthoughTheWatchDoesNotLook() throws Exception {
    try (Running running = new Running(CALLS)) {
      write("x.no");
      write("x");
      Files.delete(root.resolve("x"));
      assertEquals("created x", told.next());
      assertEquals("deleted x", told.next());
      assertTrue(running.watch.names().orElseThrow().settle(TimeUnit.SECONDS.toMillis(SECONDS)));
    }
  }

  @Test
  void tellsBothEndsOfARenameOfWhichBothAreWanted(@TempDir Path elsewhere) throws Exception {
    write("old");
    try (Running _ = new Running(CALLS)) {
      Files.move(root.resolve("old"), root.resolve("new"));
      assertEquals("renamed old to new", told.next());
      write("tmp.no");
      Files.move(root.resolve("tmp.no"), root.resolve("saved"));
      assertEquals("moved in saved", told.next());
      Files.move(root.resolve("saved"), root.resolve("saved.no"));
      assertEquals("moved out saved", told.next());
      Files.move(root.resolve("new"), elsewhere.resolve("new"));
      write("next");
      assertEquals("moved out new", told.next());
      assertEquals("created next", told.next());
    }
  }

  @Test
  void tellsWhatIsInADirectoryThatAppearsAndWhatComesThereBeforeTheWatchKnowsIt() throws Exception {
    try (Running running = new Running(CALLS)) {
      Path first = Files.createDirectories(root.resolve("new"));
      write("new/first");
      assertTrue(Set.of("listed first", "created first").contains(told.next()));
      Files.delete(first.resolve("first"));
      told.await("deleted first");
      running.watch.poll(LONG_TICK_MILLIS * 2);
      write("new/second");
      told.await("created second");
      Files.move(root.resolve("new"), root.resolve("moved"));
      told.await("directory new is moved");
      write("moved/third");
      told.await("created third");
    }
  }

  @Test
  void tellsOfARootThatComesWithTheDirectoriesAboveItBeforeTheWatchLooks() throws Exception {
    Path base = root;
    root = base.resolve("a/b/log");
    try (Running running = new Running(CALLS)) {
      Files.createDirectories(root.getParent());
      Files.writeString(root.resolveSibling("other"), "x");
      Files.writeString(root, "x");
      assertTrue(Set.of("listed log", "created log").contains(told.next()));
      Files.move(root, root.resolveSibling("log.1"));
      told.await("moved out log");
      running.watch.poll(LONG_TICK_MILLIS * 2);
      Files.writeString(root, "x");
      told.await("created log");
    }
    told.all.clear();
    root = base.resolve("c/d");
    try (Running _ = new Running(CALLS)) {
      Files.createDirectories(root.resolve("e"));
      write("e/first");
      assertTrue(Set.of("listed first", "created first").contains(told.next()));
      write("second.no");
      write("second");
      told.await("created second");
    }
  }

  @Test
  void tellsOfEachOfManyRootsInOneDirectoryWhichIsWatchedOnce() throws Exception {
    List<Path> roots = IntStream.range(0, MANY).mapToObj(i -> root.resolve("r" + i)).toList();
    AtomicInteger watches = new AtomicInteger();
    FileCalls counting =
        WrappedCalls.of(
            CALLS,
            (method, _, call) -> {
              if (method.getName().equals("inotifyAddWatch")) {
                watches.incrementAndGet();
              }
              return call.make();
            });
    try (Running running = new Running(counting, roots)) {
      assertTrue(watches.get() < MANY / 10, "watches: " + watches.get());
      write("other");
      for (int i = 0; i < MANY; i++) {
        write("r" + i);
        assertEquals("created r" + i, told.next());
      }
      Files.delete(root.resolve("r0"));
      assertEquals("deleted r0", told.next());
      running.watch.poll(LONG_TICK_MILLIS * 2); // It is awaited anew.
      write("r0");
      assertEquals("created r0", told.next());
    }
  }

  private static FileCalls countingListed(AtomicInteger listed) {
    return WrappedCalls.of(
        CALLS,
        (_, arguments, call) -> {
          if (Thread.currentThread().getName().equals(NAMES_THREAD)) {
            for (int i = 0; arguments != null && i < arguments.length; i++) {
              if (arguments[i] instanceof Consumer<?>) {
                @SuppressWarnings("unchecked")
                Consumer<DirectoryEntry> visitor = (Consumer<DirectoryEntry>) arguments[i];
                Consumer<DirectoryEntry> counting = _ -> listed.incrementAndGet();
                arguments[i] = counting.andThen(visitor);
              }
            }
          }
          return call.make();
        });
  }

  @Test
  void listsOnlyTheBeginningOfALongDirectoryAndLeavesTheRestToTheWatch(@TempDir Path elsewhere)
      throws Exception {
    int files = 5_000;
    Path directory = Files.createDirectory(elsewhere.resolve("long"));
    for (int i = 0; i < files; i++) {
      Files.createFile(directory.resolve("f" + i));
    }
    AtomicInteger listed = new AtomicInteger();
    try (Running running = new Running(countingListed(listed))) {
      Files.move(directory, root.resolve("long"));
      Set<PosixPath> appeared = new HashSet<>();
      long startNanos = System.nanoTime();
      while (appeared.size() < files
          && System.nanoTime() - startNanos < TimeUnit.SECONDS.toNanos(SECONDS)) {
        for (WatchChange change : running.watch.poll(LONG_TICK_MILLIS * 2)) {
          if (change instanceof WatchChange.Appeared file) {
            appeared.add(file.path());
          }
        }
      }
      assertEquals(files, appeared.size());
      assertTrue(running.watch.names().orElseThrow().settle(TimeUnit.SECONDS.toMillis(SECONDS)));
    }
    assertTrue(listed.get() > 0 && listed.get() < files / 2, "listed " + listed);
  }

  @Test
  void givesWayToTheWatchWhenThereAreNoMoreWatches() throws Exception {
    AtomicBoolean full = new AtomicBoolean();
    FileCalls calls =
        FaultyFileCalls.wrap(
                CALLS,
                call ->
                    full.get() && call.method().equals("inotifyAddWatch")
                        ? fails(full)
                        : Fault.PROCEED)
            .calls();
    try (Running running = new Running(calls)) {
      full.set(true);
      Files.createDirectory(root.resolve("most"));
      write("most/first");
      assertTrue(Set.of("listed first", "created first").contains(told.next()));
      while (!told.all.contains("limited ENOSPC")) {
        running.watch.poll(LONG_TICK_MILLIS * 2);
      }
      assertEquals(0, running.watch.names().orElseThrow().directoryCount());
      write("most/x");
      assertTrue(
          running.watch.poll(LONG_TICK_MILLIS * 2).stream()
              .anyMatch(change -> change instanceof WatchChange.Appeared),
          "the watch itself goes on");
    }
  }

  private static Fault fails(AtomicBoolean full) {
    if (Thread.currentThread().getName().equals(NAMES_THREAD)) {
      return Fault.PROCEED; // Only the watch itself finds the limit reached.
    }
    full.set(false);
    return new Fault.Fail(Errno.ENOSPC);
  }

  @Test
  void isWithoutEarlyNamesWhereThereIsNoSecondQueue() throws Exception {
    AtomicBoolean first = new AtomicBoolean(true);
    FileCalls calls =
        FaultyFileCalls.wrap(
                CALLS,
                call ->
                    call.method().equals("inotifyInit") && first.getAndSet(false)
                        ? new Fault.Fail(Errno.EMFILE)
                        : Fault.PROCEED)
            .calls();
    try (Running running = new Running(calls)) {
      assertEquals("limited EMFILE", told.next());
      assertTrue(running.watch.names().isEmpty());
    }
  }

  @Test
  void aListenerThatFailsIsToldTheNextName() throws Exception {
    CountDownLatch failed = new CountDownLatch(1);
    NameListener failing =
        new Told() {
          @Override
          public void created(PosixPath path) {
            if (failed.getCount() > 0) {
              throw new IllegalStateException("as a test wants");
            }
            told.created(path);
          }

          @Override
          public void failed(Throwable why) {
            failed.countDown();
          }
        };
    try (DirectoryWatch watch =
        DirectoryWatch.open(
            CALLS,
            List.of(PosixPath.of(root)),
            WatchOptions.defaults(),
            System::nanoTime,
            Optional.of(failing))) {
      Thread thread = Thread.ofPlatform().start(() -> watch.names().ifPresent(EarlyNames::run));
      watch.poll(0);
      write("first");
      assertTrue(failed.await(SECONDS, TimeUnit.SECONDS));
      write("second");
      assertEquals("created second", told.next());
      assertTrue(thread.isAlive());
    }
  }

  @Test
  void aDirectoryThatWasElsewhereBetweenTwoLooksIsToldOfUnderThePathThatItHas() throws Exception {
    Path within = Files.createDirectory(root.resolve("r"));
    Path place = Files.createDirectories(root.resolve("s/t"));
    try (Running running = new Running(CALLS, List.of(within, place))) {
      Files.move(place, within.resolve("u"));
      told.await("directory t is u");
      Files.move(within.resolve("u"), place);
      running.watch.poll(0);
      told.await("directory u is t");
    }
  }
}
