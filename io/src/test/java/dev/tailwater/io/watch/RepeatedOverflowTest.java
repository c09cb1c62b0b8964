package dev.tailwater.io.watch;

import static dev.tailwater.io.watch.WatchHarness.NOTIFIED_ONLY;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.io.WrappedCalls;
import dev.tailwater.io.watch.event.EventMask;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An inotify queue that overflows, is emptied, and overflows again before the look has ended. */
final class RepeatedOverflowTest {
  private static final int EVENT_BYTES = 16;

  @TempDir Path root;

  /** What the next read of the queue does. */
  private enum Step {
    AS_IT_IS,
    FIRST_OVERFLOW,
    NOTHING_MORE,
    SECOND_OVERFLOW
  }

  private Step step = Step.AS_IT_IS;

  private static int overflow(MemorySegment target) {
    target.set(ValueLayout.JAVA_INT, 0, -1);
    target.set(ValueLayout.JAVA_INT, 4, EventMask.OVERFLOW);
    target.set(ValueLayout.JAVA_INT, 8, 0);
    target.set(ValueLayout.JAVA_INT, 12, 0);
    return EVENT_BYTES;
  }

  private static int loseAll(WrappedCalls.RealCall read, MemorySegment target) throws Throwable {
    while (read.make() instanceof Integer bytes && bytes > 0) {
      // Lost.
    }
    return overflow(target);
  }

  private FileCalls overflowing() {
    return WrappedCalls.of(
        LinuxFileCalls.create(),
        (method, arguments, call) -> {
          if (!method.getName().equals("inotifyRead") || step == Step.AS_IT_IS) {
            return call.make();
          }
          MemorySegment target = (MemorySegment) arguments[1];
          return switch (step) {
            case FIRST_OVERFLOW -> {
              if (call.make() instanceof Integer bytes && bytes > 0) {
                step = Step.NOTHING_MORE;
                yield loseAll(call, target);
              }
              yield 0;
            }
            case NOTHING_MORE -> {
              step = Step.SECOND_OVERFLOW;
              yield 0;
            }
            case SECOND_OVERFLOW -> {
              step = Step.AS_IT_IS;
              Files.writeString(root.resolve("late"), "late");
              yield loseAll(call, target);
            }
            case AS_IT_IS -> throw new AssertionError("handled above");
          };
        });
  }

  @Test
  void secondOverflowInOneLookIsFollowedByAScan() throws IOException {
    Files.createDirectories(root.resolve("d"));
    Files.writeString(root.resolve("d/x"), "x");
    try (WatchHarness watch = new WatchHarness(overflowing(), NOTIFIED_ONLY, root)) {
      step = Step.FIRST_OVERFLOW;
      Files.delete(root.resolve("d/x")); // A missing name has the queue read once more.
      watch.untilReported(new WatchChange.Appeared(PosixPath.of(root.resolve("late"))));
      assertEquals(2, watch.watch().statistics().overflows());
    }
  }
}
