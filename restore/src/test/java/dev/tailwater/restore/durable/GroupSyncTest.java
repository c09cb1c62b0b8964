package dev.tailwater.restore.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
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
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupSyncTest {
  private static final FileCalls REAL_CALLS = LinuxFileCalls.create();
  private static final int MANY = 100;
  private static final int MOST_WAITING = 2 * MANY;

  @TempDir private Path directory;

  /** How many of the last files fail. */
  private int failing;

  private final AtomicInteger single = new AtomicInteger();
  private final AtomicInteger together = new AtomicInteger();
  private final CountDownLatch allWait = new CountDownLatch(1);

  /** Lets the first call wait for all files, so that the others are made durable together. */
  private FileCalls calls(Fault ofFileSystem) {
    return FaultyFileCalls.wrap(
            REAL_CALLS,
            call -> {
              switch (call.method()) {
                case "fsync" -> {
                  awaitAll();
                  return single.getAndIncrement() < MANY - failing
                      ? Fault.PROCEED
                      : new Fault.Fail(Errno.EIO);
                }
                case "syncFileSystem" -> {
                  awaitAll();
                  together.incrementAndGet();
                  return ofFileSystem;
                }
                default -> {}
              }
              return Fault.PROCEED;
            })
        .calls();
  }

  private void awaitAll() {
    try {
      allWait.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Syncs many files; returns how many failed. */
  private int syncMany(FileCalls calls) throws Exception {
    AtomicInteger ended = new AtomicInteger();
    AtomicInteger failed = new AtomicInteger();
    List<Descriptor> files = new ArrayList<>();
    try (Descriptor root = root();
        GroupSync sync = GroupSync.start(calls, root, true, MOST_WAITING)) {
      long device = REAL_CALLS.fstat(root.fd()).device();
      for (int i = 0; i < MANY; i++) {
        Descriptor file = file("f" + i);
        files.add(file);
        sync.add(
            file,
            device,
            1,
            failure -> {
              ended.incrementAndGet();
              failure.ifPresent(
                  why -> {
                    assertInstanceOf(ErrnoException.class, why);
                    failed.incrementAndGet();
                  });
            });
      }
      allWait.countDown();
      sync.finish();
    } finally {
      for (Descriptor file : files) {
        file.close();
      }
    }
    assertEquals(MANY, ended.get());
    return failed.get();
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
  void asksForEachFileOfAnotherFileSystem() throws Exception {
    try (Descriptor root = root();
        Descriptor file = file("f");
        GroupSync sync = GroupSync.start(calls(Fault.PROCEED), root, true, MOST_WAITING)) {
      long other = REAL_CALLS.fstat(root.fd()).device() + 1;
      allWait.countDown();
      for (int i = 0; i < MANY; i++) {
        sync.add(file, other, 1, _ -> {});
      }
      sync.finish();
    }
    assertEquals(MANY, single.get());
    assertEquals(0, together.get());
  }

  @Test
  void holdsFilesUpWhenTooManyWait() throws Exception {
    AtomicInteger open = new AtomicInteger();
    int most = 0;
    allWait.countDown();
    try (Descriptor root = root();
        Descriptor file = file("f");
        GroupSync sync = GroupSync.start(calls(Fault.PROCEED), root, true, MOST_WAITING)) {
      long device = REAL_CALLS.fstat(root.fd()).device();
      for (int i = 0; i < 5 * MOST_WAITING; i++) {
        open.incrementAndGet();
        sync.add(file, device, 1, _ -> open.decrementAndGet());
        most = Math.max(most, open.get());
      }
      sync.finish();
    }
    assertEquals(0, open.get());
    assertTrue(most <= 2 * MOST_WAITING, "most " + most);
  }

  @Test
  void nothingIsDurableByItselfWhereNobodyAsksForIt() throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    try (Descriptor root = root();
        Descriptor file = file("f");
        GroupSync sync = GroupSync.start(calls(Fault.PROCEED), root, false, MOST_WAITING)) {
      sync.add(file, 0, 1, failure -> ended.set(failure.isEmpty()));
      assertTrue(ended.get());
      sync.finish();
    }
    assertEquals(0, single.get() + together.get());
  }

  @Test
  void whatFailsBehindTheSyncFailsTheRun() throws Exception {
    AtomicInteger ended = new AtomicInteger();
    try (Descriptor root = root();
        Descriptor file = file("f");
        GroupSync sync = GroupSync.start(calls(Fault.PROCEED), root, true, MOST_WAITING)) {
      long device = REAL_CALLS.fstat(root.fd()).device();
      sync.add(
          file,
          device,
          1,
          _ -> {
            throw new IOException("renamed nothing");
          });
      sync.add(file, device, 1, _ -> ended.incrementAndGet());
      allWait.countDown();
      IOException thrown = assertThrows(IOException.class, sync::finish);
      assertEquals("renamed nothing", thrown.getMessage());
    }
    assertEquals(1, ended.get());
  }

  @Test
  void knowsWhichKernelsReportErrors() {
    assertTrue(GroupSync.isAtLeast("6.18.44-generic", 5, 8));
    assertTrue(GroupSync.isAtLeast("5.8", 5, 8));
    assertFalse(GroupSync.isAtLeast("5.7.19", 5, 8));
    assertFalse(GroupSync.isAtLeast("unknown", 5, 8));
  }
}
