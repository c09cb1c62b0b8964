package dev.tailwater.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.tailwater.posix.binding.Scratch;
import dev.tailwater.posix.binding.ScratchPool;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class ConcurrencyTest {
  private static final int ROUNDS = 2_000;

  private final FileCalls calls = LinuxFileCalls.create();
  @TempDir private Path directory;

  private record Provocation(Errno expected, Executable call) {}

  private List<Provocation> provocations() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    PosixPath path = PosixPath.of(file);
    PosixPath root = PosixPath.of(directory);
    byte[] heap = new byte[8];
    return List.of(
        new Provocation(
            Errno.ENOENT, () -> calls.open(NameCalls.AT_FDCWD, root.resolve("none"), Set.of(), 0)),
        new Provocation(
            Errno.ENOTDIR, () -> calls.statx(NameCalls.AT_FDCWD, path.resolve("x"), Set.of())),
        new Provocation(
            Errno.EISDIR,
            () -> calls.open(NameCalls.AT_FDCWD, root, EnumSet.of(OpenFlag.WRITE_ONLY), 0)),
        new Provocation(Errno.EEXIST, () -> calls.makeDirectory(NameCalls.AT_FDCWD, path, 0700)),
        new Provocation(Errno.EBADF, () -> calls.preadCritical(-1, heap, 0, 8, 0)),
        new Provocation(Errno.EINVAL, () -> calls.readLink(NameCalls.AT_FDCWD, path)),
        new Provocation(
            Errno.ENAMETOOLONG,
            () -> calls.unlink(NameCalls.AT_FDCWD, root.resolve("n".repeat(256)))));
  }

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void errnoIsNeverThatOfAnotherPlatformThread() throws Exception {
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      provokeAtOnce(threads, 28);
    }
  }

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void errnoIsNeverThatOfAnotherVirtualThread() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      provokeAtOnce(threads, 140);
    }
  }

  private void provokeAtOnce(ExecutorService threads, int count) throws Exception {
    List<Provocation> provocations = provocations();
    CyclicBarrier start = new CyclicBarrier(count);
    List<Future<Integer>> results = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Provocation mine = provocations.get(i % provocations.size());
      Callable<Integer> task =
          () -> {
            start.await();
            int made = 0;
            for (; made < ROUNDS; made++) {
              Expect.errno(mine.expected(), mine.call());
              if (made % 64 == 0) {
                LockSupport.parkNanos(1); // another virtual thread gets the carrier
              }
            }
            return made;
          };
      results.add(threads.submit(task));
    }
    for (Future<Integer> result : results) {
      assertEquals(ROUNDS, result.get());
    }
  }

  @Test
  void memoryOfACallIsUsedAgainButNotWhileItIsInUse() {
    ScratchPool pool = new ScratchPool();
    Scratch first = pool.acquire();
    Scratch second = pool.acquire();
    assertNotSame(first, second);
    first.close();
    try (Scratch third = pool.acquire()) {
      assertSame(first, third);
    }
    second.close();
  }

  @Test
  void moreCallsAtOnceThanThePoolHolds() {
    ScratchPool pool = new ScratchPool();
    List<Scratch> scratches = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      scratches.add(pool.acquire());
    }
    assertEquals(100, scratches.stream().distinct().count());
    scratches.forEach(Scratch::close);
  }
}
