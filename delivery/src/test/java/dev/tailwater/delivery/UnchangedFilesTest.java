package dev.tailwater.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.archive.record.StreamRecord.EndReason;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.Source;
import dev.tailwater.delivery.status.FileDelivery;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A start makes nothing for files that are as an earlier run left them, and misses no others. */
@ParameterizedClass(name = "{0}")
@EnumSource
class UnchangedFilesTest {
  private static final int MANY = 40;
  private static final int MORE_NAMES_THAN_A_LOOK_TAKES = 5_000;

  private final Start start;

  /** How a start meets the files. */
  enum Start {
    ALL_STAY_OPEN(4 * MANY, false),
    MOST_ARE_OPENED_FOR_A_LOOK(5, false),
    MOST_ARE_NOT_OPENED(5, true);

    final int openFiles;

    /** Whether the change times vouch for what was delivered: they had passed by then. */
    final boolean isVouchedFor;

    Start(int openFiles, boolean isVouchedFor) {
      this.openFiles = openFiles;
      this.isVouchedFor = isVouchedFor;
    }
  }

  private TestAgent.Place place;
  private final List<Path> logs = new ArrayList<>();
  private Path changed;

  UnchangedFilesTest(Start start) {
    this.start = start;
  }

  @BeforeEach
  void deliverSomeFiles(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    for (int i = 0; i < MANY; i++) {
      String text = "a line of a file\n".repeat(i); // One is empty.
      logs.add(Files.writeString(place.log("app-" + i + ".log"), text));
    }
    changed = logs.get(MANY / 2);
    try (TestAgent agent = start.isVouchedFor ? startMuchLater() : start()) {
      assertTrue(agent.drain().isComplete());
    }
  }

  private AgentConfig roomForAll() {
    return place.config().toBuilder().filesInMemory(2 * MANY).build();
  }

  private TestAgent start() throws IOException {
    FileCalls calls = TestAgent.REAL_CALLS;
    return TestAgent.start(
        roomForAll(), place.openArchive(calls, OpenIntent.WRITE), calls, start.openFiles);
  }

  private TestAgent startMuchLater() throws IOException {
    return TestAgent.startAt(
        roomForAll(),
        place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE),
        () -> System.currentTimeMillis() + TimeUnit.MINUTES.toMillis(1));
  }

  /** Starts an agent, which finds that so many files have changed, and delivers all of them. */
  private void startAndDeliver(int watched, int changes) throws Exception {
    try (TestAgent agent = start()) {
      TestAgent.await("all are found", () -> agent.agent.status().files().watched() == watched);
      TestAgent.await("others stay", () -> agent.agent.filesInMemory() == changes);
      assertTrue(agent.drain().isComplete());
    }
  }

  private List<ArchiveContents.StreamContents> streams() throws Exception {
    return place.contents().bornAt(changed.toString());
  }

  private ArchiveContents.StreamContents onlyStream() throws Exception {
    assertEquals(1, streams().size(), streams().toString());
    return streams().getFirst();
  }

  private StreamRecord record() throws Exception {
    return onlyStream().record().orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void stayOutOfMemory(int restarts) throws Exception {
    int segments = segments();
    for (int i = 0; i < restarts; i++) {
      startAndDeliver(MANY, 0);
    }
    assertEquals(segments, segments());
  }

  @Test
  void aQuestionBeforeTheyAreFoundWaitsForThem() throws Exception {
    Path passedOver = Files.createFile(place.log("0.passed-over"));
    for (int i = 1; i < MORE_NAMES_THAN_A_LOOK_TAKES; i++) {
      Files.createLink(place.log(i + ".passed-over"), passedOver); // Files would take far longer.
    }
    Path deep = place.log("directory/which/is/looked/at/later.log");
    Files.createDirectories(deep.getParent());
    Files.writeString(deep, "a line of a file\n");
    Source source = new Source(PosixPath.of(place.logs()), List.of(), List.of("*.passed-over"));
    AgentConfig config = place.config().toBuilder().sources(List.of(source)).build();
    try (TestAgent agent = TestAgent.start(place, config, TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
    }
    CountDownLatch asked = new CountDownLatch(1);
    FileCalls calls =
        InterceptedCalls.of(
            TestAgent.REAL_CALLS,
            called -> {
              if (isLookOfTheWatch(called)) {
                asked.await();
              }
            });
    try (TestAgent agent = TestAgent.start(place, config, calls)) {
      FutureTask<FileDelivery> question =
          new FutureTask<>(() -> agent.agent.status(PosixPath.of(deep)));
      Thread thread = Thread.ofPlatform().start(question);
      TestAgent.await("the question waits", () -> thread.getState() == Thread.State.TIMED_WAITING);
      asked.countDown();
      assertTrue(question.get().isDelivered(), question.get().toString());
    } finally {
      asked.countDown();
    }
  }

  private static boolean isLookOfTheWatch(Method called) {
    return called.getName().startsWith("open") && Thread.currentThread().getName().equals("watch");
  }

  private int segments() throws Exception {
    return place.contents().streams().stream().mapToInt(stream -> stream.segments).sum();
  }

  @Test
  void oneThatHasGrownGoesOnInItsStream() throws Exception {
    Files.writeString(changed, "two\n", StandardOpenOption.APPEND);
    startAndDeliver(MANY, 1);
    assertEquals(Files.readString(changed), new String(onlyStream().prefix(), UTF_8));
    assertFalse(onlyStream().holdsBytesTwice());
    startAndDeliver(MANY, 0);
  }

  @Test
  void oneWithOtherBytesIsDelivered() throws Exception {
    overwrite(0);
    startAndDeliver(MANY, 1);
    assertEquals(Files.readString(changed), new String(onlyStream().prefix(), UTF_8));
    startAndDeliver(
        MANY, 1); // More may be stored without a sign, until its pages are written back.
    try (TestAgent agent = startMuchLater()) {
      assertTrue(agent.drain().isComplete());
    }
    startAndDeliver(MANY, 0);
  }

  @Test
  void oneThatEndsWithOtherBytesIsDeliveredThoughItHasItsOldTime() throws Exception {
    FileTime before = Files.getLastModifiedTime(changed);
    overwrite(Files.size(changed) - 1);
    Files.setLastModifiedTime(changed, before);
    startAndDeliver(MANY, 1);
    List<String> texts =
        streams().stream().map(stream -> new String(stream.prefix(), UTF_8)).toList();
    assertTrue(texts.contains(Files.readString(changed)), texts.toString());
  }

  private void overwrite(long offsetBytes) throws IOException {
    try (FileChannel file = FileChannel.open(changed, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(new byte[] {'X'}), offsetBytes);
    }
  }

  @Test
  void aTruncatedOneBeginsTheNextStream() throws Exception {
    Files.writeString(changed, "b\n", StandardOpenOption.TRUNCATE_EXISTING);
    startAndDeliver(MANY, 1);
    assertEquals(2, streams().size(), streams().toString());
    assertEquals("b\n", new String(streams().getLast().prefix(), UTF_8));
  }

  @Test
  void anotherModeIsTold() throws Exception {
    Files.setPosixFilePermissions(changed, PosixFilePermissions.fromString("rw-r-----"));
    startAndDeliver(MANY, 1);
    assertEquals(0640, record().permissions());
  }

  @Test
  void anotherNameIsTold() throws Exception {
    Path renamed = place.log("renamed.log");
    Files.move(changed, renamed);
    startAndDeliver(MANY, 1);
    assertEquals(renamed.toString(), record().paths().getLast().path().toString());
  }

  @Test
  void oneThatIsGoneEnds() throws Exception {
    Files.delete(changed);
    startAndDeliver(MANY - 1, 0);
    assertTrue(record().end().isPresent());
  }

  @Test
  void oneThatIsThereAgainIsAnother() throws Exception {
    String text = Files.readString(changed);
    FileTime before = Files.getLastModifiedTime(changed);
    Path next = Files.writeString(place.base().resolve("next"), text);
    Files.move(next, changed, StandardCopyOption.REPLACE_EXISTING);
    Files.setLastModifiedTime(changed, before);
    startAndDeliver(MANY, 1);
    assertEquals(2, streams().size(), streams().toString());
  }

  @Test
  void oneWithAnotherHardLinkHasBothNames() throws Exception {
    Path link = Files.createLink(place.log("link.log"), changed);
    try (TestAgent agent = start()) {
      TestAgent.await("all are found", () -> agent.agent.status().files().watched() == MANY);
      Files.delete(changed);
      Files.writeString(link, "two\n", StandardOpenOption.APPEND);
      agent.awaitDelivered(link);
      assertTrue(agent.drain().isComplete());
    }
    assertEquals(Files.readString(link), new String(onlyStream().prefix(), UTF_8));
  }

  @Test
  void oneThatGrowsLaterGoesOnInItsStream() throws Exception {
    try (TestAgent agent = start()) {
      TestAgent.await("all are found", () -> agent.agent.status().files().watched() == MANY);
      Files.writeString(changed, "two\n", StandardOpenOption.APPEND);
      agent.awaitDelivered(changed);
      assertTrue(agent.drain().isComplete());
    }
    assertEquals(Files.readString(changed), new String(onlyStream().prefix(), UTF_8));
    assertFalse(onlyStream().holdsBytesTwice());
  }

  @Test
  void oneThatIsRenamedLaterKeepsItsStream() throws Exception {
    Path renamed = place.log("renamed.log");
    try (TestAgent agent = start()) {
      TestAgent.await("all are found", () -> agent.agent.status().files().watched() == MANY);
      Files.move(changed, renamed);
      Files.writeString(renamed, "two\n", StandardOpenOption.APPEND);
      agent.awaitDelivered(renamed);
      assertTrue(agent.drain().isComplete());
    }
    assertEquals(Files.readString(renamed), new String(onlyStream().prefix(), UTF_8));
    assertEquals(renamed.toString(), record().paths().getLast().path().toString());
  }

  @Test
  void oneThatIsReplacedLaterEnds() throws Exception {
    try (TestAgent agent = start()) {
      TestAgent.await("all are found", () -> agent.agent.status().files().watched() == MANY);
      Path next = Files.writeString(place.base().resolve("next"), "another file\n");
      Files.move(next, changed, StandardCopyOption.REPLACE_EXISTING);
      agent.awaitDelivered(changed);
      assertTrue(agent.drain().isComplete());
    }
    assertEquals(2, streams().size(), streams().toString());
    assertEquals(1, streams().stream().filter(this::hasEnded).count(), streams().toString());
  }

  private boolean hasEnded(ArchiveContents.StreamContents stream) {
    return stream.record().flatMap(StreamRecord::end).isPresent();
  }

  @Test
  void oneThatIsDeletedLaterEnds() throws Exception {
    try (TestAgent agent = start()) {
      TestAgent.await("all are found", () -> agent.agent.status().files().watched() == MANY);
      Files.delete(changed);
      TestAgent.await("it ends", () -> agent.agent.status().files().watched() == MANY - 1);
      assertTrue(agent.drain().isComplete());
    }
    EndReason reason = record().end().orElseThrow().reason();
    // Without a descriptor nobody can tell whether it has a name elsewhere.
    assertEquals(start.openFiles > MANY ? EndReason.DELETED : EndReason.MOVED_AWAY, reason);
  }
}
