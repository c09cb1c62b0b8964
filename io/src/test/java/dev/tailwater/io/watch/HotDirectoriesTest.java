package dev.tailwater.io.watch;

import static dev.tailwater.io.watch.WatchHarness.NOTIFIED_ONLY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories in which so much is written that being told of it costs too much. */
final class HotDirectoriesTest {
  private static final int FILES = 8;

  /** As always, but with a tick that adapts, and a flood soon. */
  private static final WatchOptions ADAPTIVE =
      NOTIFIED_ONLY.withTickMillis(1, 50).withNotification(NotificationMethod.INOTIFY);

  private final FileCalls calls = LinuxFileCalls.create();

  @TempDir Path root;

  private PosixPath path(int file) {
    return PosixPath.of(root.resolve("f" + file));
  }

  /** Writes all files in turn, as fast as it goes, until it is stopped. */
  private final class Flood implements AutoCloseable {
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicReference<IOException> failure = new AtomicReference<>();
    private final Thread thread = Thread.ofPlatform().start(this::run);

    private void run() {
      List<FileChannel> files = new ArrayList<>();
      try {
        for (int i = 0; i < FILES; i++) {
          files.add(FileChannel.open(root.resolve("f" + i), StandardOpenOption.WRITE));
        }
        for (int i = 0; !stopped.get(); i++) {
          files.get(i % FILES).write(ByteBuffer.wrap(new byte[] {1}), i % 1000);
        }
        for (FileChannel file : files) {
          file.close();
        }
      } catch (IOException e) {
        failure.set(e);
      }
    }

    @Override
    public void close() throws IOException {
      stopped.set(true);
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while a flood ended", e);
      }
      if (failure.get() != null) {
        throw failure.get();
      }
    }
  }

  private void makeFiles() throws IOException {
    for (int i = 0; i < FILES; i++) {
      Files.writeString(root.resolve("f" + i), "x");
    }
  }

  private static void untilHot(WatchHarness watch, boolean hot) throws IOException {
    watch.until(() -> (watch.watch().statistics().hotDirectories() > 0) == hot);
  }

  /** More only when it has cooled meanwhile, since the flood had no processor for a while. */
  private static long eventsDuringThreePolls(WatchHarness watch) {
    long events = watch.watch().statistics().events();
    long polls = watch.watch().statistics().hotPolls();
    try {
      watch.until(() -> watch.watch().statistics().hotPolls() > polls + 3);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return watch.watch().statistics().events() - events;
  }

  @Test
  void floodedDirectoryIsPolledUntilItCoolsDown() throws Exception {
    makeFiles();
    try (WatchHarness watch = new WatchHarness(calls, ADAPTIVE, root)) {
      try (Flood flood = new Flood()) {
        untilHot(watch, true);
        // What was told before it got hot is read; from then on there is nothing to read.
        watch.next(50);
        watch.until(() -> eventsDuringThreePolls(watch) < 100);
        watch.forgetChanges();
        watch.until(() -> watch.changes.contains(new WatchChange.Modified(path(0))));
        assertFalse(flood.stopped.get());
      }
      untilHot(watch, false);
      watch.untilQuiet();
      watch.forgetChanges();
      long polls = watch.watch().statistics().hotPolls();
      Files.writeString(root.resolve("f3"), "at last");
      watch.untilReported(new WatchChange.Modified(path(3)));
      assertEquals(polls, watch.watch().statistics().hotPolls());
    }
  }

  @Test
  void namesAreToldOfAtOnceWhileTheFilesArePolled() throws Exception {
    makeFiles();
    try (WatchHarness watch = new WatchHarness(calls, ADAPTIVE, root);
        Flood _ = new Flood()) {
      untilHot(watch, true);
      Files.move(root.resolve("f0"), root.resolve("g"), StandardCopyOption.ATOMIC_MOVE);
      watch.untilReported(new WatchChange.Renamed(path(0), PosixPath.of(root.resolve("g"))));
      Files.createDirectories(root.resolve("d"));
      Files.writeString(root.resolve("d/x"), "x");
      watch.untilReported(new WatchChange.Appeared(PosixPath.of(root.resolve("d/x"))));
    }
  }

  @Test
  void lastWriteOfAFloodIsReported() throws Exception {
    makeFiles();
    for (int round = 0; round < 5; round++) {
      try (WatchHarness watch = new WatchHarness(calls, ADAPTIVE, root)) {
        try (Flood _ = new Flood()) {
          untilHot(watch, true);
        }
        watch.forgetChanges();
        for (int i = 0; i < FILES; i++) {
          Files.writeString(root.resolve("f" + i), "the last words");
        }
        watch.until(
            () -> {
              for (int i = 0; i < FILES; i++) {
                if (!watch.changes.contains(new WatchChange.Modified(path(i)))) {
                  return false;
                }
              }
              return true;
            });
      }
    }
  }

  @Test
  void pollOfAHotDirectoryCostsOneCallForEachFile() throws Exception {
    makeFiles();
    FaultyFileCalls counting = FaultyFileCalls.wrap(calls, FaultPlan.none());
    try (WatchHarness watch = new WatchHarness(counting.calls(), ADAPTIVE, root);
        Flood _ = new Flood()) {
      List<String> made;
      long more;
      do { // Once more if it cooled meanwhile, since the flood had no processor for a while.
        untilHot(watch, true);
        watch.next(50);
        int before = counting.log().size();
        long polls = watch.watch().statistics().hotPolls();
        watch.until(() -> watch.watch().statistics().hotPolls() >= polls + 10);
        more = watch.watch().statistics().hotPolls() - polls;
        made = counting.log().subList(before, counting.log().size());
      } while (made.contains("inotifyAddWatch"));
      assertEquals(more * FILES, Collections.frequency(made, "statx"));
      assertEquals(more, Collections.frequency(made, "openBeneath"));
      assertEquals(0, Collections.frequency(made, "nextEntries"));
    }
  }

  @Test
  void staysPolledWhileTheKernelRefusesToTellAgain() throws Exception {
    makeFiles();
    AtomicBoolean refused = new AtomicBoolean();
    FaultPlan plan =
        FaultPlan.when(
            call -> call.is("inotifyAddWatch") && refused.get(), new Fault.Fail(Errno.EACCES));
    FileCalls faulty = FaultyFileCalls.wrap(calls, plan).calls();
    try (WatchHarness watch = new WatchHarness(faulty, ADAPTIVE, root)) {
      try (Flood _ = new Flood()) {
        untilHot(watch, true);
        refused.set(true);
      }
      watch.until(
          () -> watch.changes.stream().anyMatch(WatchChange.Unobservable.class::isInstance));
      watch.untilQuiet();
      Files.writeString(root.resolve("f3"), "seen nevertheless");
      watch.forgetChanges();
      refused.set(false);
      watch.untilReported(new WatchChange.Modified(path(3)));
      untilHot(watch, false);
      watch.untilQuiet();
      watch.forgetChanges();
      Files.writeString(root.resolve("f3"), "told of again");
      watch.untilReported(new WatchChange.Modified(path(3)));
    }
  }

  @Test
  void fixedTickNeverPolls() throws Exception {
    makeFiles();
    try (WatchHarness watch = new WatchHarness(calls, ADAPTIVE.withTickMillis(20), root);
        Flood _ = new Flood()) {
      long start = watch.watch().statistics().events();
      watch.until(() -> watch.watch().statistics().events() > start + 100_000);
      assertEquals(0, watch.watch().statistics().hotDirectories());
    }
  }
}
