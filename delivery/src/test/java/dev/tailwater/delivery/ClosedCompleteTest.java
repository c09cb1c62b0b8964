package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Which files without a descriptor the record of the end calls complete, where the watch has not
 * heard of a write that came just before.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class ClosedCompleteTest {
  private static final int FILES = 20;
  private static final int OPEN_FILES = 5;

  private final List<Path> logs = new ArrayList<>();
  private final Map<String, Integer> callsOfLastLooks = new ConcurrentHashMap<>();
  private volatile Optional<Runnable> whenLookedAtLast = Optional.empty();
  private TestAgent.Place place;

  @BeforeEach
  void makeFiles(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    for (int i = 0; i < FILES; i++) {
      logs.add(Files.writeString(place.log("app-" + i + ".log"), "a line of a file\n".repeat(100)));
    }
  }

  private AgentConfig config() {
    return place.config().toBuilder().filesInMemory(0).reconcile(Duration.ofHours(1)).build();
  }

  /** Does what the test wants when the agent makes its last looks at closed files. */
  private void beforeLastLooks(Method called) {
    if (Thread.currentThread().getName().equals("watch")
        && StackWalker.getInstance().walk(frames -> frames.anyMatch(ClosedCompleteTest::isLast))) {
      callsOfLastLooks.merge(called.getName(), 1, Integer::sum);
      Optional<Runnable> change = whenLookedAtLast;
      whenLookedAtLast = Optional.empty();
      change.ifPresent(Runnable::run);
    }
  }

  private static boolean isLast(StackWalker.StackFrame frame) {
    return frame.getClassName().endsWith(".FileReturn")
        && frame.getMethodName().equals("forEachStream");
  }

  private static Set<Path> openFiles() throws IOException {
    Set<Path> open = new HashSet<>();
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      for (Path one : all.toList()) {
        try {
          open.add(Files.readSymbolicLink(one));
        } catch (IOException e) {
          // It was closed meanwhile.
        }
      }
    }
    return open;
  }

  private interface Change {
    void apply(Path file) throws IOException;
  }

  private static void apply(Change change, Path file) {
    try {
      change.apply(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs an agent that ends just after the change of a file; returns which file that was. */
  private Path endAfter(Change change) throws Exception {
    Path changed;
    try (TestAgent agent =
        TestAgent.start(
            config(),
            place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE),
            InterceptedCalls.of(TestAgent.REAL_CALLS, this::beforeLastLooks),
            OPEN_FILES)) {
      assertTrue(agent.agent().drainAndGoOn(Duration.ofMinutes(1)).isComplete());
      TestAgent.await("none is in memory", () -> agent.agent().filesInMemory() == 0);
      Set<Path> open = openFiles();
      changed = logs.stream().filter(log -> !open.contains(log)).findFirst().orElseThrow();
      whenLookedAtLast = Optional.of(() -> apply(change, changed));
      assertTrue(agent.drain().isComplete());
      assertTrue(whenLookedAtLast.isEmpty(), "nobody has looked");
    }
    return changed;
  }

  /** Has the files delivered so late that their change times vouch for them. */
  private void deliverMuchLater() throws Exception {
    try (TestAgent agent =
        TestAgent.startAt(
            config(),
            place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE),
            () -> System.currentTimeMillis() + TimeUnit.MINUTES.toMillis(1))) {
      assertTrue(agent.drain().isComplete());
    }
  }

  private static void overwrite(Path file, long offsetBytes) throws IOException {
    FileTime before = Files.getLastModifiedTime(file);
    try (FileChannel open = FileChannel.open(file, StandardOpenOption.WRITE)) {
      open.write(ByteBuffer.wrap(new byte[] {'X'}), offsetBytes);
    }
    Files.setLastModifiedTime(file, before);
  }

  /** Returns the names of the files that the record of the end does not call complete. */
  private List<Path> incomplete() throws Exception {
    Set<StreamId> complete;
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ);
        InputStream record =
            archive.read(ArchiveNames.lastDrain(TestAgent.NAME), 0, Long.MAX_VALUE)) {
      complete = LastDrain.fromJson(record.readAllBytes(), TestAgent.NAME).complete();
    }
    return place.contents().streams().stream()
        .filter(stream -> !complete.contains(stream.id()))
        .map(stream -> Path.of(stream.birthPath()))
        .toList();
  }

  @Test
  void allThatWereNotTouchedAre() throws Exception {
    var _ = endAfter(_ -> {});
    assertEquals(List.of(), incomplete());
  }

  @Test
  void allThatWereNotTouchedAreAfterALaterRun() throws Exception {
    deliverMuchLater();
    var _ = endAfter(_ -> {});
    assertEquals(List.of(), incomplete());
  }

  @Test
  void allAreThoughEachDirectoryIsOpenedOnceAndHardlyAnyFile() throws Exception {
    int directories = 4;
    for (int i = 0; i < directories * FILES; i++) {
      // Between the other files of the source by name, and so are these by path.
      Path directory = Files.createDirectories(place.log("app-1" + i % directories));
      Files.writeString(directory.resolve("app-" + i + ".log"), "a line of a file\n".repeat(i + 1));
    }
    deliverMuchLater();
    var _ = endAfter(_ -> {});
    assertEquals(List.of(), incomplete());
    int openings =
        callsOfLastLooks.entrySet().stream()
            .filter(call -> call.getKey().startsWith("open"))
            .mapToInt(Map.Entry::getValue)
            .sum();
    assertTrue(openings <= directories + 1 + 1, callsOfLastLooks.toString());
  }

  @Test
  void oneThatWasOverwrittenAnywhereIsNotThoughItHasItsOldTime() throws Exception {
    deliverMuchLater();
    Path changed = endAfter(file -> overwrite(file, 3));
    assertEquals(List.of(changed), incomplete());
  }

  @Test
  void oneThatWasDeliveredJustBeforeIsNotEither() throws Exception {
    Path changed = endAfter(file -> overwrite(file, 3));
    assertEquals(List.of(changed), incomplete());
  }
}
