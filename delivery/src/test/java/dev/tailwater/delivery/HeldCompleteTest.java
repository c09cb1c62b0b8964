package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.LastDrain;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
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

  private static boolean isForRecord(StackWalker.StackFrame frame) {
    return frame.getClassName().endsWith(".FileReturn")
        && frame.getMethodName().equals("forEachStream");
  }

  /** Writes to a file when the agent asks which quiet files are complete. */
  private void changeOnce(Path file) {
    if (Thread.currentThread().getName().equals("watch")
        && changes.get()
        && StackWalker.getInstance().walk(frames -> frames.anyMatch(HeldCompleteTest::isForRecord))
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
        TestAgent.start(
            place,
            config,
            InterceptedCalls.of(TestAgent.REAL_CALLS, (Method _) -> changeOnce(changed)))) {
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

  private static Set<StreamId> complete(TestAgent.Place place) throws IOException {
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ);
        InputStream record =
            archive.read(ArchiveNames.lastDrain(TestAgent.NAME), 0, Long.MAX_VALUE)) {
      return LastDrain.fromJson(record.readAllBytes(), TestAgent.NAME).complete();
    }
  }
}
