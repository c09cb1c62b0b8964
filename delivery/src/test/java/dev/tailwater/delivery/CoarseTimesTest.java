package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.testkit.Records;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * On a file system that counts times in seconds (ext4 with small inodes, ext3, FAT, SFTP), a write
 * can leave the times of a file as they were.
 */
class CoarseTimesTest {
  private static final long SECOND = 1_795_000_000;

  private final AtomicLong clockMillis = new AtomicLong(TimeUnit.SECONDS.toMillis(SECOND) + 500);
  private TestAgent.Place place;
  private Path file;

  @BeforeEach
  void choosePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    file = place.log("data.db");
  }

  /** Starts an agent for which every file was written to in the same second. */
  private TestAgent start() throws IOException {
    return TestAgent.startAt(
        place.config(),
        place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE),
        inOneSecond(TestAgent.REAL_CALLS),
        clockMillis::get);
  }

  private static FileCalls inOneSecond(FileCalls real) {
    return (FileCalls)
        Proxy.newProxyInstance(
            FileCalls.class.getClassLoader(),
            new Class<?>[] {FileCalls.class},
            (proxy, called, arguments) -> {
              try {
                Object result = called.invoke(real, arguments);
                return result instanceof FileStatus status ? inOneSecond(status) : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static FileStatus inOneSecond(FileStatus status) {
    if (status.type() != EntryType.REGULAR) {
      return status;
    }
    long nanos = TimeUnit.SECONDS.toNanos(SECOND);
    return Records.like(status, Map.of("modificationTimeNanos", nanos, "changeTimeNanos", nanos));
  }

  private void write(int lengthBytes) throws IOException {
    byte[] bytes = new byte[lengthBytes];
    Arrays.fill(bytes, (byte) 'b');
    Files.write(file, bytes);
  }

  private void changeFirstByte() throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.write('X');
    }
  }

  private static boolean drainAndGoOn(TestAgent agent) throws Exception {
    return agent.agent().drainAndGoOn(Duration.ofMinutes(2)).isComplete();
  }

  private boolean isArchived() throws Exception {
    return Arrays.equals(Files.readAllBytes(file), archived());
  }

  private byte[] archived() throws Exception {
    return place.contents().bornAt(file.toString()).getLast().prefix();
  }

  private void assertArchived() throws Exception {
    assertArrayEquals(Files.readAllBytes(file), archived());
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 1_000, 100_000})
  void aDrainDeliversWhatWasRewrittenAfterOneInTheSameSecond(int lengthBytes) throws Exception {
    write(lengthBytes);
    try (TestAgent agent = start()) {
      assertTrue(drainAndGoOn(agent));
      changeFirstByte();
      assertTrue(drainAndGoOn(agent));
      assertArchived();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 1_000, 100_000})
  void noFileIsCalledDeliveredThatWasRewrittenInTheSameSecond(int lengthBytes) throws Exception {
    write(lengthBytes);
    try (TestAgent agent = start()) {
      agent.awaitDelivered(file);
      changeFirstByte();
      agent.awaitDelivered(file);
      assertArchived();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 1_000, 100_000})
  void whatWasRewrittenInTheSameSecondIsDeliveredWithoutADrain(int lengthBytes) throws Exception {
    write(lengthBytes);
    try (TestAgent agent = start()) {
      assertTrue(drainAndGoOn(agent));
      changeFirstByte();
      TestAgent.await("it is found", this::isArchived);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 1_000, 100_000})
  void theNextRunDeliversWhatWasRewrittenAfterOneInTheSameSecond(int lengthBytes) throws Exception {
    write(lengthBytes);
    try (TestAgent agent = start()) {
      assertTrue(agent.drain().isComplete());
    }
    changeFirstByte();
    clockMillis.addAndGet(10_000);
    try (TestAgent agent = start()) {
      assertTrue(agent.drain().isComplete());
      assertArchived();
    }
  }
}
