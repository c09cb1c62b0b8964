package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.LastDrain;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.FileCalls;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Which quiet files that are open the record of the end calls complete, where one has changed and
 * could not come back: a look found no room for it in memory, or came before the write.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class HeldCompleteTest {
  private final AtomicBoolean changes = new AtomicBoolean();

  /** When the agent asks which quiet files are complete. */
  private static boolean isForRecord(StackWalker.StackFrame frame) {
    return frame.getClassName().endsWith(".FileReturn")
        && frame.getMethodName().equals("forEachStream");
  }

  /** When the agent looks at the open files once more, as it does last. */
  private static boolean isLastLook(StackWalker.StackFrame frame) {
    return frame.getMethodName().startsWith("lambda$lookAtOpenFiles");
  }

  /** Returns calls that {@linkplain #changeOnce write} to a file once {@link #changes} is set. */
  private FileCalls changing(Path file, Predicate<StackWalker.StackFrame> when) {
    return InterceptedCalls.of(TestAgent.REAL_CALLS, (Method _) -> changeOnce(file, when));
  }

  /** Writes to a file at the first call of the watch that is made in such a frame. */
  private void changeOnce(Path file, Predicate<StackWalker.StackFrame> when) {
    if (Thread.currentThread().getName().equals("watch")
        && changes.get()
        && StackWalker.getInstance().walk(frames -> frames.anyMatch(when))
        && changes.compareAndSet(true, false)) {
      try {
        Files.writeString(file, "two\n", StandardOpenOption.WRITE); // It has no byte more.
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Test
  void oneThatWasWrittenToIsNot(@TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Path changed = Files.writeString(place.log("changed.log"), "one\n");
    Path other = Files.writeString(place.log("other.log"), "one\n");
    AgentConfig config =
        place.config().toBuilder().filesInMemory(0).mergeToBytes(OptionalLong.of(0)).build();
    try (TestAgent agent =
        TestAgent.start(place, config, changing(changed, HeldCompleteTest::isForRecord))) {
      agent.awaitDelivered(changed);
      agent.awaitDelivered(other);
      TestAgent.await("none is in memory", () -> agent.agent().filesInMemory() == 0);
      changes.set(true);
      var _ = agent.drain();
    }
    assertEquals("two\n", Files.readString(changed), "nobody has looked");
    Set<StreamId> complete = complete(place);
    List<Path> named =
        place.contents().streams().stream()
            .filter(stream -> complete.contains(stream.id()))
            .map(stream -> Path.of(stream.birthPath()))
            .toList();
    assertEquals(List.of(other), named);
  }

  /** A file with a link elsewhere never leaves memory, and here there is room for one. */
  @Test
  void oneForWhichTheLastLookHasNoRoomIsNotSaidToBeDelivered(@TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Path changed = Files.writeString(place.log("changed.log"), "one\n");
    AgentConfig config =
        place.config().toBuilder()
            .filesInMemory(0)
            .mostFilesInMemory(1)
            .mergeToBytes(OptionalLong.of(0))
            .build();
    DrainReport report;
    try (TestAgent agent =
        TestAgent.start(place, config, changing(changed, HeldCompleteTest::isLastLook))) {
      agent.awaitDelivered(changed);
      TestAgent.await("none is in memory", () -> agent.agent().filesInMemory() == 0);
      Path stays = Files.writeString(place.base().resolve("stays.log"), "one\n");
      Files.createLink(place.base().resolve("link.log"), stays);
      Files.move(stays, place.log("stays.log"));
      agent.awaitDelivered(place.log("stays.log"));
      changes.set(true);
      report = agent.drain();
    }
    assertEquals("two\n", Files.readString(changed), "nobody has looked");
    assertFalse(report.isComplete(), report.toString());
    assertEquals(Set.of(), complete(place));
  }

  private static Set<StreamId> complete(TestAgent.Place place) throws IOException {
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ);
        InputStream record =
            archive.read(ArchiveNames.lastDrain(TestAgent.NAME), 0, Long.MAX_VALUE)) {
      return LastDrain.fromJson(record.readAllBytes(), TestAgent.NAME).complete();
    }
  }
}
