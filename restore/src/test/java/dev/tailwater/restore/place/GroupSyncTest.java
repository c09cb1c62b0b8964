package dev.tailwater.restore.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.value.OpenFlag;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupSyncTest {
  private static final FileCalls REAL_CALLS = LinuxFileCalls.create();
  private static final int MANY = 100;

  @TempDir private Path directory;

  /** How many of the last files fail. */
  private int failing;

  private final AtomicInteger single = new AtomicInteger();
  private final AtomicInteger together = new AtomicInteger();
  private final CountDownLatch othersWait = new CountDownLatch(MANY - 1);

  /** Lets the first fsync wait for the others, so that these are made durable together. */
  private FileCalls calls(Fault ofFileSystem) {
    return FaultyFileCalls.wrap(
            REAL_CALLS,
            call -> {
              switch (call.method()) {
                case "fsync" -> {
                  int number = single.getAndIncrement();
                  if (number == 0) {
                    awaitOthers();
                  }
                  return number < MANY - failing ? Fault.PROCEED : new Fault.Fail(Errno.EIO);
                }
                case "syncFileSystem" -> {
                  together.incrementAndGet();
                  return ofFileSystem;
                }
                default -> {}
              }
              return Fault.PROCEED;
            })
        .calls();
  }

  private void awaitOthers() {
    try {
      othersWait.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Syncs many files with one worker; returns how many failed. */
  private int syncMany(FileCalls calls) throws Exception {
    int failed = 0;
    try (Descriptor root = root();
        GroupSync sync = GroupSync.start(calls, root, true, 1);
        var threads = Executors.newFixedThreadPool(MANY)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < MANY; i++) {
        all.add(threads.submit(syncOf(sync, "f" + i)));
      }
      for (Future<?> one : all) {
        try {
          one.get();
        } catch (ExecutionException e) {
          assertInstanceOf(ErrnoException.class, e.getCause());
          failed++;
        }
      }
    }
    return failed;
  }

  private Callable<Void> syncOf(GroupSync sync, String name) {
    return () -> {
      sync.beginTurn();
      try (Descriptor file = file(name)) {
        othersWait.countDown();
        sync.sync(file);
      } finally {
        sync.endTurn();
      }
      return null;
    };
  }

  private Descriptor root() throws ErrnoException {
    return Descriptor.open(
        REAL_CALLS, FileCalls.AT_FDCWD, PosixPath.of(directory), Set.of(OpenFlag.DIRECTORY), 0);
  }

  private Descriptor file(String name) throws ErrnoException {
    return Descriptor.open(
        REAL_CALLS,
        FileCalls.AT_FDCWD,
        PosixPath.of(directory.resolve(name)),
        Set.of(OpenFlag.CREATE, OpenFlag.READ_WRITE),
        0600);
  }

  @Test
  void makesAllThatWaitDurableByOneCall() throws Exception {
    assertEquals(0, syncMany(calls(Fault.PROCEED)));
    assertTrue(together.get() >= 1, "together " + together);
    assertTrue(single.get() + together.get() < MANY / 2, single + " and " + together);
  }

  @Test
  void asksForEachFileWhenTheFileSystemCannotSay() throws Exception {
    assertEquals(0, syncMany(calls(new Fault.Fail(Errno.EIO))));
    assertEquals(MANY, single.get());
    assertEquals(1, together.get());
  }

  @Test
  void tellsWhoseBytesAreLost() throws Exception {
    failing = 1;
    assertEquals(1, syncMany(calls(new Fault.Fail(Errno.EIO))));
  }

  @Test
  void knowsWhichKernelsReportErrors() {
    assertTrue(GroupSync.isAtLeast("6.18.44-generic", 5, 8));
    assertTrue(GroupSync.isAtLeast("5.8", 5, 8));
    assertFalse(GroupSync.isAtLeast("5.7.19", 5, 8));
    assertFalse(GroupSync.isAtLeast("unknown", 5, 8));
  }
}
