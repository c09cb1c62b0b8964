package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.drain.DrainListener;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.posix.FileCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file is overwritten after the agent has looked at it, and before it reads it. */
class OverwrittenWhileReadTest {
  private static final byte[] NEW = {'n', 'e', 'w'};

  /** Longer than what is compared for truncations. */
  private static final String LONG = "tail\n".repeat(200);

  @Test
  void theArchiveTellsTheTimeOfTheBytesThatItHas(@TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Path log = place.log("app.log");
    Files.writeString(log, "old");
    Files.setLastModifiedTime(log, FileTime.fromMillis(1_600_000_000_000L));
    AtomicBoolean isDone = new AtomicBoolean();
    FileCalls calls =
        InterceptedCalls.of(
            TestAgent.REAL_CALLS,
            called -> {
              if (InterceptedCalls.isReadOfAWorker(called) && !isDone.getAndSet(true)) {
                overwrite(log, 0);
              }
            });
    AgentConfig config = place.config().toBuilder().packs(PackUse.ALWAYS).build();
    try (TestAgent agent = TestAgent.start(place, config, calls)) {
      assertTrue(agent.drain().isComplete());
    }
    assertTrue(isDone.get());
    ArchiveContents.StreamContents archived = place.contents().streams().getFirst();
    assertArrayEquals(NEW, archived.prefix());
    assertEquals(
        Files.getLastModifiedTime(log).to(TimeUnit.NANOSECONDS), archived.modificationTimeNanos());
  }

  /**
   * The file is compared between the last read of a range and the moment when it counts as read:
   * that vouches for the bytes before the range only.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void isNotSafeBeforeBytesThatWereReplacedJustAfterTheyWereReadAreDelivered(
      boolean withPacks, @TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Path log = Files.writeString(place.log("app.log"), "line\n".repeat(1000));
    SwitchedDestination archive = SwitchedDestination.inMemory("archive");
    CountDownLatch isRead = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    AtomicBoolean waitsForRead = new AtomicBoolean();
    AtomicInteger reads = new AtomicInteger();
    AtomicInteger looks = new AtomicInteger(); // The first one of a pack plans it.
    FileCalls calls =
        InterceptedCalls.of(
            TestAgent.REAL_CALLS,
            called -> {
              if (!waitsForRead.get()) {
                return;
              }
              if (InterceptedCalls.isReadOfAWorker(called)) {
                reads.incrementAndGet();
              } else if (isLookOfAWorker(called)
                  && reads.get() > 0
                  && looks.incrementAndGet() == (withPacks ? 2 : 1)) {
                waitsForRead.set(false);
                isRead.countDown();
                goesOn.await();
              }
            });
    AgentConfig config =
        place.config().toBuilder().packs(withPacks ? PackUse.ALWAYS : PackUse.NEVER).build();
    AtomicReference<String> whenSafe = new AtomicReference<>("never safe");
    try (TestAgent agent = TestAgent.start(config, archive, calls)) {
      assertTrue(agent.agent().drainAndGoOn(Duration.ofMinutes(1)).isComplete());
      waitsForRead.set(true);
      Files.writeString(log, "old\n" + LONG, StandardOpenOption.APPEND);
      isRead.await();
      overwrite(log, 5000);
      Files.writeString(log, "more\n", StandardOpenOption.APPEND);
      Thread drain =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      assertTrue(
                          agent
                              .agent()
                              .goDown(
                                  Duration.ofSeconds(8),
                                  DrainListener.NONE,
                                  () -> whenSafe.set(held(archive, log)),
                                  () -> false)
                              .isPresent());
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                  });
      Thread.sleep(700); // If it is compared meanwhile, that takes no longer.
      goesOn.countDown();
      drain.join();
    }
    assertEquals("new\n" + LONG + "more\n", whenSafe.get());
    assertEquals("new\n" + LONG + "more\n", held(archive, log));
  }

  private static boolean isLookOfAWorker(Method called) {
    return called.getName().equals("fstat") && Thread.currentThread().getName().startsWith("seal-");
  }

  private static String held(SwitchedDestination archive, Path log) {
    try {
      byte[] prefix = archive.contents().bornAt(log.toString()).getFirst().prefix();
      return new String(prefix, 5000, prefix.length - 5000, StandardCharsets.US_ASCII);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void overwrite(Path file, long offsetBytes) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      assertEquals(NEW.length, channel.write(ByteBuffer.wrap(NEW), offsetBytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
