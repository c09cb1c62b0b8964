package dev.tailwater.lab.change;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A load of writes: open files grow by a byte at a given rate, one file after the other.
 *
 * @param tree the tree of the files, which are chosen as far apart as possible
 * @param files the number of files that are written
 * @param writesPerFileAndSecond to each of them
 */
record WriteLoad(FileCalls calls, WatchedTree tree, int files, double writesPerFileAndSecond) {
  /** The number of slices of a second, over which writes are spread evenly. */
  private static final int SLICES_PER_SECOND = 100;

  private static final long START_OFFSET_BYTES = 4_096;

  /** Begins to write, and records each write in each log beforehand. */
  Writing start(List<SightLog> logs) throws IOException {
    return new Writing(List.copyOf(logs));
  }

  /** The thread that writes, until it is closed. */
  final class Writing implements AutoCloseable {
    private final List<SightLog> logs;
    private final int[] numbers = new int[files];
    private final int[] fds = new int[files];
    private final AtomicLong count = new AtomicLong();
    private volatile Optional<IOException> failure = Optional.empty();
    private final Thread thread;
    private volatile boolean stopped;

    private Writing(List<SightLog> logs) throws IOException {
      this.logs = logs;
      int opened = 0;
      try {
        for (; opened < files; opened++) {
          numbers[opened] = (int) ((long) opened * tree.count() / files);
          fds[opened] =
              calls.open(
                  FileCalls.AT_FDCWD,
                  PosixPath.of(tree.file(numbers[opened])),
                  EnumSet.of(OpenFlag.WRITE_ONLY),
                  0);
        }
      } catch (IOException e) {
        for (int i = 0; i < opened; i++) {
          calls.close(fds[i]);
        }
        throw e;
      }
      thread = Thread.ofPlatform().name("writer").start(this::run);
    }

    private void run() {
      double perSecond = files * writesPerFileAndSecond;
      long startNanos = System.nanoTime();
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment one = arena.allocate(1);
        for (long slice = 1; !stopped; slice++) {
          long due = (long) (perSecond * slice / SLICES_PER_SECOND);
          while (count.get() < due && !stopped) {
            long number = count.getAndIncrement();
            int file = (int) (number % fds.length);
            long nowNanos = System.nanoTime();
            for (SightLog log : logs) {
              log.writing(numbers[file], nowNanos);
            }
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

    /** Returns the number of writes so far. */
    long count() {
      return count.get();
    }

    @Override
    public void close() throws IOException {
      stopped = true;
      Joining.join(thread);
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
