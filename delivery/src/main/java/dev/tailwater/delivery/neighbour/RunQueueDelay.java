package dev.tailwater.delivery.neighbour;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/**
 * How long threads of this process were ready to run, but waited while others ran.
 *
 * @see <a href="https://docs.kernel.org/scheduler/sched-stats.html">/proc/PID/schedstat</a>
 */
final class RunQueueDelay {
  private final Path tasks;
  private final Supplier<List<Integer>> threadIds;

  RunQueueDelay(Path proc, Supplier<List<Integer>> threadIds) {
    this.tasks = proc.resolve("self/task");
    this.threadIds = threadIds;
  }

  /**
   * Returns the delay of all threads together, since they began; 0 if the kernel does not count.
   */
  long nanos() {
    long nanos = 0;
    for (int threadId : threadIds.get()) {
      nanos += nanos(threadId);
    }
    return nanos;
  }

  /** Returns the delay of one thread; 0 when it has ended. */
  long nanos(int threadId) {
    try {
      // Three numbers: nanoseconds on the processor, nanoseconds of waiting, how often.
      String text =
          Files.readString(tasks.resolve(Integer.toString(threadId)).resolve("schedstat"));
      return Long.parseLong(text.split(" ", -1)[1]);
    } catch (IOException e) {
      return 0;
    }
  }
}
