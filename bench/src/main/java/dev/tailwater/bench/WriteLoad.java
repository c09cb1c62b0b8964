package dev.tailwater.bench;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.OpenFlag;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Files that stay open and get a byte longer so and so often, one after the other. */
record WriteLoad(String name, FileCalls calls, List<Path> files, int writesPerFileAndSecond) {
  /** Writes are spread evenly over the second, a hundredth of it at a time. */
  private static final int SLICES_PER_SECOND = 100;

  private static final long START_OFFSET_BYTES = 4_096;

  /** Begins to write. */
  Writing start() throws IOException {
    return new Writing();
  }

  /** A thread that writes, until it is closed. */
  final class Writing implements AutoCloseable {
    private final int[] fds = new int[files.size()];
    private final AtomicLong count = new AtomicLong();
    private volatile Optional<IOException> failure = Optional.empty();
    private final Thread thread;
    private volatile boolean stopped;

    private Writing() throws IOException {
      for (int i = 0; i < fds.length; i++) {
        fds[i] =
            calls.open(
                FileCalls.AT_FDCWD, PosixPath.of(files.get(i)), EnumSet.of(OpenFlag.WRITE_ONLY), 0);
      }
      thread = Thread.ofPlatform().name("writer").start(this::run);
    }

    private void run() {
      long perSecond = (long) files.size() * writesPerFileAndSecond;
      long startNanos = System.nanoTime();
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment one = arena.allocate(1);
        for (long slice = 1; !stopped; slice++) {
          long due = perSecond * slice / SLICES_PER_SECOND;
          while (count.get() < due && !stopped) {
            long number = count.getAndIncrement();
            int file = (int) (number % fds.length);
            calls.pwrite(fds[file], one, START_OFFSET_BYTES + number / fds.length);
          }
          long dueNanos = startNanos + TimeUnit.SECONDS.toNanos(1) * slice / SLICES_PER_SECOND;
          TimeUnit.NANOSECONDS.sleep(Math.max(0, dueNanos - System.nanoTime()));
        }
      } catch (ErrnoException e) {
        failure = Optional.of(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    /** Writes until now. */
    long count() {
      return count.get();
    }

    @Override
    public void close() throws IOException {
      stopped = true;
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
      for (int fd : fds) {
        calls.close(fd);
      }
      Optional<IOException> failed = failure;
      if (failed.isPresent()) {
        throw failed.get();
      }
    }
  }
}
