package dev.tailwater.io.watch.early;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.io.watch.DirectoryWatch;
import dev.tailwater.io.watch.WatchChange;
import dev.tailwater.io.watch.WatchOptions;
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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names that appear below real directories, told before the watch looks. */
class EarlyNamesTest {
  private static final FileCalls CALLS = LinuxFileCalls.create();
  private static final int LONG_TICK_MILLIS = 2_000;
  private static final long SECONDS = 30;
  private static final String NAMES_THREAD = "names";

  private final Told told = new Told();
  private Path root;

  /** What the listener was told, as text. */
  private static final class Told implements NameListener {
    final LinkedBlockingQueue<String> all = new LinkedBlockingQueue<>();
    volatile boolean has = true;

    @Override
    public boolean appeared(PosixPath path) {
      all.add("appeared " + path.fileName());
      return has;
    }

    @Override
    public boolean renamed(PosixPath from, PosixPath path) {
      all.add("renamed " + from.fileName() + " to " + path.fileName());
      return has;
    }

    @Override
    public void missed(PosixPath path) {
      all.add("missed " + path.fileName());
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
  }

  /** A watch that has looked once, and the thread that tells of names. */
  private final class Running implements AutoCloseable {
    final DirectoryWatch watch;
    final Thread thread;

    Running(FileCalls calls) throws IOException {
      watch =
          DirectoryWatch.open(
              calls,
              List.of(PosixPath.of(root)),
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
  void tellsOfANameWithoutWaitingForTheTick() throws Exception {
    try (Running running = new Running(CALLS)) {
      long startNanos = System.nanoTime();
      write("x.no");
      write("x");
      assertEquals("appeared x", told.next());
      long tookMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
      assertTrue(tookMillis < LONG_TICK_MILLIS, "after a tick of the watch: " + tookMillis + " ms");
      assertTrue(running.watch.names().orElseThrow().settle(1_000));
    }
  }

  @Test
  void tellsBothEndsOfARename() throws Exception {
    write("old");
    try (Running _ = new Running(CALLS)) {
      Files.move(root.resolve("old"), root.resolve("new"));
      assertEquals("renamed old to new", told.next());
      write("tmp.no");
      Files.move(root.resolve("tmp.no"), root.resolve("saved"));
      assertEquals("renamed tmp.no to saved", told.next());
    }
  }

  @Test
  void tellsWhatIsInADirectoryThatAppearsAndWhatComesThereBeforeTheWatchKnowsIt() throws Exception {
    try (Running running = new Running(CALLS)) {
      Files.createDirectories(root.resolve("a/b"));
      write("a/b/first");
      assertEquals("appeared first", told.next());
      // The directory may have been listed after the file was made, and have told of it twice.
      running.watch.names().orElseThrow().settle(1_000);
      told.all.clear();
      write("a/b/second");
      assertEquals("appeared second", told.next());
      running.watch.poll(LONG_TICK_MILLIS * 2);
      write("a/b/third");
      assertEquals("appeared third", told.next());
      Files.move(root.resolve("a/b"), root.resolve("a/c"));
      write("a/c/fourth");
      assertEquals("appeared fourth", told.next());
    }
  }

  @Test
  void tellsOfDeletedFilesThatNobodyHasWhereTheWatchDoesNotLookYet() throws Exception {
    told.has = false;
    try (Running _ = new Running(CALLS)) {
      write("known");
      Files.delete(root.resolve("known"));
      assertEquals("appeared known", told.next());
      Files.createDirectory(root.resolve("new"));
      awaitWatchOf(root.resolve("new"));
      write("new/lost");
      Files.delete(root.resolve("new/lost"));
      assertEquals("appeared lost", told.next());
      assertEquals("missed lost", told.next());
    }
  }

  /** Until a name in it is told. */
  private void awaitWatchOf(Path directory) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    int number = 0;
    while (System.nanoTime() - deadline < 0) {
      Files.writeString(directory.resolve("probe-" + number++), "x");
      if (told.all.poll(100, TimeUnit.MILLISECONDS) != null) {
        told.all.clear();
        Thread.sleep(50);
        told.all.clear();
        return;
      }
    }
    throw new AssertionError(directory + " is not watched");
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
      assertEquals("appeared first", told.next());
      running.watch.poll(LONG_TICK_MILLIS * 2);
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
        new NameListener() {
          @Override
          public boolean appeared(PosixPath path) {
            if (failed.getCount() > 0) {
              throw new IllegalStateException("as a test wants");
            }
            return told.appeared(path);
          }

          @Override
          public boolean renamed(PosixPath from, PosixPath path) {
            return told.renamed(from, path);
          }

          @Override
          public void missed(PosixPath path) {
            told.missed(path);
          }

          @Override
          public void limited(ErrnoException why) {
            told.limited(why);
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
      assertEquals("appeared second", told.next());
      assertTrue(thread.isAlive());
    }
  }
}
