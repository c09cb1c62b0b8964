package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.posix.FileCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file is overwritten after the agent has looked at it, and before it reads it. */
class OverwrittenWhileReadTest {
  private static final byte[] NEW = {'n', 'e', 'w'};

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
                overwrite(log);
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

  private static void overwrite(Path file) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      assertEquals(NEW.length, channel.write(ByteBuffer.wrap(NEW), 0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
