package dev.tailwater.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.FileCalls;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A start reads nothing of a file whose change time vouches for what was delivered of it, and
 * misses nothing by that.
 */
class ChangeTimesTest {
  private static final int FEW_DESCRIPTORS = 5;

  private TestAgent.Place place;
  private Path log;

  @BeforeEach
  void writeAFile(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    log = Files.writeString(place.log("app.log"), "a line of a file\n".repeat(20));
  }

  private static long longAfter() {
    return System.currentTimeMillis() + TimeUnit.MINUTES.toMillis(1);
  }

  private TestAgent startAt(LongSupplier clockMillis) throws IOException {
    return TestAgent.startAt(
        place.config(), place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE), clockMillis);
  }

  private void deliverAt(LongSupplier clockMillis) throws Exception {
    try (TestAgent agent = startAt(clockMillis)) {
      assertTrue(agent.drain().isComplete());
    }
  }

  /** Starts an agent, and returns how often it has read bytes of the file. */
  private int readsOfAStart() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    try (TestAgent agent = TestAgent.start(place, place.config(), countingReads(reads))) {
      TestAgent.await("it is found", () -> agent.agent.status().files().watched() == 1);
      assertTrue(agent.drain().isComplete());
    }
    return reads.get();
  }

  private interface Call {
    boolean is(Method called, Object[] arguments) throws IOException;
  }

  private FileCalls countingReads(AtomicInteger reads) {
    return counting(reads, this::isReadOfTheFile);
  }

  private static FileCalls counting(AtomicInteger calls, Call counted) {
    return (FileCalls)
        Proxy.newProxyInstance(
            FileCalls.class.getClassLoader(),
            new Class<?>[] {FileCalls.class},
            (proxy, called, arguments) -> {
              if (counted.is(called, arguments)) {
                calls.incrementAndGet();
              }
              try {
                return called.invoke(TestAgent.REAL_CALLS, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private boolean isReadOfTheFile(Method called, Object[] arguments) throws IOException {
    return called.getName().startsWith("pread")
        && Files.readSymbolicLink(Path.of("/proc/self/fd/" + arguments[0])).equals(log);
  }

  private void overwriteTheEndBehindItsTime() throws IOException {
    FileTime before = Files.getLastModifiedTime(log);
    try (FileChannel file = FileChannel.open(log, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(new byte[] {'?'}), file.size() - 2);
    }
    Files.setLastModifiedTime(log, before);
  }

  private void assertDelivered() throws Exception {
    List<String> texts =
        place.contents().bornAt(log.toString()).stream()
            .map(stream -> new String(stream.prefix(), UTF_8))
            .toList();
    assertTrue(texts.contains(Files.readString(log)), texts.toString());
  }

  @Test
  void aFileThatIsAsItWasIsNotRead() throws Exception {
    deliverAt(ChangeTimesTest::longAfter);
    assertEquals(0, readsOfAStart());
    assertEquals(0, readsOfAStart());
  }

  /** Starts an agent with few descriptors, and returns how often it has opened a log. */
  private int opensOfAStart(int files) throws Exception {
    AtomicInteger opens = new AtomicInteger();
    FileCalls calls = counting(opens, ChangeTimesTest::isOpeningOfALog);
    try (TestAgent agent =
        TestAgent.start(
            place.config(), place.openArchive(calls, OpenIntent.WRITE), calls, FEW_DESCRIPTORS)) {
      TestAgent.await("all are found", () -> agent.agent.status().files().watched() == files);
      assertTrue(agent.drain().isComplete());
    }
    return opens.get();
  }

  private static boolean isOpeningOfALog(Method called, Object[] arguments) {
    return called.getName().equals("open") && arguments[1].toString().endsWith(".log");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10 * FEW_DESCRIPTORS})
  void filesThatAreAsTheyWereAreNotOpenedWhereDescriptorsAreShort(int directories)
      throws Exception {
    int files = 10 * FEW_DESCRIPTORS;
    for (int i = 1; i < files; i++) {
      Path directory = Files.createDirectories(place.log("directory-" + i % directories));
      Files.writeString(directory.resolve("app-" + i + ".log"), "a line of a file\n".repeat(i));
    }
    deliverAt(ChangeTimesTest::longAfter);
    int opened = opensOfAStart(files);
    assertTrue(opened <= 2 * FEW_DESCRIPTORS, "opened " + opened);
    Files.setLastModifiedTime(log, FileTime.fromMillis(1_000_000_000_000L));
    assertTrue(opensOfAStart(files) > 0, "one has changed");
  }

  @Test
  void aFileWithATimeOfItsOwnIsNotRead() throws Exception {
    Files.setLastModifiedTime(log, FileTime.fromMillis(1_000_000_000_000L));
    deliverAt(ChangeTimesTest::longAfter);
    assertEquals(0, readsOfAStart());
  }

  @Test
  void anAppendedFileIsNotReadOnceThatIsDelivered() throws Exception {
    deliverAt(ChangeTimesTest::longAfter);
    Files.writeString(log, "one more line\n", StandardOpenOption.APPEND);
    deliverAt(ChangeTimesTest::longAfter);
    assertEquals(0, readsOfAStart());
    assertDelivered();
  }

  @Test
  void aFileThatMayHaveChangedWithinTheSameMomentIsRead() throws Exception {
    long writtenMillis = Files.getLastModifiedTime(log).toMillis();
    deliverAt(() -> writtenMillis);
    assertEquals(1, readsOfAStart());
  }

  @Test
  void aFileOfWhichSomethingElseHasChangedIsRead() throws Exception {
    deliverAt(ChangeTimesTest::longAfter);
    var before = Files.getPosixFilePermissions(log);
    Files.setPosixFilePermissions(log, PosixFilePermissions.fromString("rw-------"));
    Files.setPosixFilePermissions(log, before);
    assertEquals(1, readsOfAStart());
  }

  @Test
  void otherBytesBehindTheOldTimeAreFound() throws Exception {
    deliverAt(ChangeTimesTest::longAfter);
    overwriteTheEndBehindItsTime();
    deliverAt(ChangeTimesTest::longAfter);
    assertDelivered();
  }

  /** Whether the agent meets the new time or only the old one, it must not vouch for it. */
  @Test
  void otherBytesBehindTheOldTimeAreFoundAlsoIfTheyCameWhileAnAgentRan() throws Exception {
    try (TestAgent agent = startAt(ChangeTimesTest::longAfter)) {
      agent.awaitDelivered(log);
      overwriteTheEndBehindItsTime();
      assertTrue(agent.drain().isComplete());
    }
    deliverAt(ChangeTimesTest::longAfter);
    assertDelivered();
  }
}
