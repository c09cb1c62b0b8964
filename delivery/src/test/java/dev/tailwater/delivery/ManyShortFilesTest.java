package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What many short files cost. */
class ManyShortFilesTest {
  private static final int FILES = 1_000;

  private TestAgent.Place place;

  @BeforeEach
  void makeFiles(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    for (int i = 0; i < FILES; i++) {
      Files.createDirectories(file(i).getParent());
      Files.writeString(file(i), text(i));
    }
  }

  private Path file(int number) {
    return place.logs().resolve("d" + number / 100).resolve("f" + number);
  }

  private static String text(int number) {
    return "line of file " + number + "\n";
  }

  private TestAgent start(FileCalls calls) throws Exception {
    return TestAgent.start(place, place.config().toBuilder().packs(PackUse.ALWAYS).build(), calls);
  }

  @Test
  void askTheKernelNoMoreThanThisForEachOfThem() throws Exception {
    AtomicLong count = new AtomicLong();
    FileCalls calls =
        FaultyFileCalls.wrap(
                TestAgent.REAL_CALLS,
                _ -> {
                  count.addAndGet(mayBeForFiles() ? 1 : 0);
                  return Fault.PROCEED;
                })
            .calls();
    try (TestAgent agent = start(calls)) {
      assertTrue(agent.drain().isComplete());
      // A drain looks three times at each name and at each open file.
      long looks = 6;
      long each = count.get() / FILES;
      assertTrue(each <= 21 + looks, each + " calls for each file");
    }
  }

  /** Returns whether this thread makes the calls that each file costs. */
  private static boolean mayBeForFiles() {
    String thread = Thread.currentThread().getName();
    return thread.equals("watch") || thread.startsWith("seal");
  }
}
