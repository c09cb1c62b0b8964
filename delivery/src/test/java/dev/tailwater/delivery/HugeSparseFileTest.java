package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.deliver.Holding;
import dev.tailwater.delivery.deliver.Inventory;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that takes hours to read holds nobody up. */
class HugeSparseFileTest {
  private static final long HUGE_BYTES = 15L << 40;

  private TestAgent.Place place;

  @BeforeEach
  void makePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
  }

  private static void makeSparse(Path file, long sizeBytes) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.setLength(sizeBytes);
    }
  }

  /** Makes calls behave as on a file system that does not report holes: every zero is read. */
  private static FileCalls withoutHoles() {
    return FaultyFileCalls.wrap(TestAgent.REAL_CALLS, FaultPlan.failAll("seekData", Errno.EINVAL))
        .calls();
  }

  private void othersArriveAndADrainEnds(FileCalls calls) throws Exception {
    makeSparse(place.log("a-huge.bin"), HUGE_BYTES);
    Path first = Files.writeString(place.log("first.log"), "one\n");
    Path second = Files.writeString(place.log("second.log"), "one\n");
    AgentConfig config = place.config().toBuilder().workers(1).build();
    try (TestAgent agent = TestAgent.start(place, config, calls)) {
      for (int i = 0; i < 5; i++) {
        Files.writeString(first, "more\n", StandardOpenOption.APPEND);
        agent.awaitDelivered(first);
        Files.writeString(second, "more\n", StandardOpenOption.APPEND);
        agent.awaitDelivered(second);
      }
      Files.writeString(first, "last\n", StandardOpenOption.APPEND);
      DrainReport report = agent.agent.drain(Optional.of(Duration.ofSeconds(5)));
      assertTrue(
          report.leftBehind().stream().noneMatch(left -> !left.path().toString().contains("huge")),
          report.toString());
    }
  }

  @Test
  void otherFilesArriveWhileAFileOfZerosIsRead() throws Exception {
    othersArriveAndADrainEnds(withoutHoles());
  }

  @Test
  void otherFilesArriveWhileAFileOfHolesIsSealed() throws Exception {
    othersArriveAndADrainEnds(TestAgent.REAL_CALLS);
  }

  @Test
  void holesAreNotReadAndComeOutAsZeros() throws Exception {
    Path log = place.log("sparse.bin");
    byte[] some = new byte[3_000_000];
    new Random(1).nextBytes(some);
    try (RandomAccessFile open = new RandomAccessFile(log.toFile(), "rw")) {
      open.seek(70_000_123);
      open.write(some);
      open.seek(90_000_000);
      open.write(some);
      open.setLength(120_000_000);
    }
    LongAdder readBytes = new LongAdder();
    FileCalls counting =
        InterceptedCalls.of(
            TestAgent.REAL_CALLS,
            called -> {
              if (InterceptedCalls.isReadOfAWorker(called)) {
                readBytes.increment();
              }
            });
    try (TestAgent agent = TestAgent.start(place, place.config(), counting)) {
      assertTrue(agent.drain().isComplete());
    }
    ArchiveContents.StreamContents stream = place.contents().streams().getFirst();
    assertArrayEquals(Files.readAllBytes(log), stream.prefix());
    assertFalse(stream.holdsBytesTwice());
    assertTrue(readBytes.sum() < 100, readBytes + " reads, where every byte takes 460");
  }

  @Test
  void aHugeHoleIsDeliveredWithinADrain() throws Exception {
    Path log = place.log("huge.bin");
    makeSparse(log, 1L << 40);
    try (TestAgent agent = TestAgent.start(place)) {
      assertTrue(agent.drain().isComplete());
    }
    // The next run finds its place without reading it all.
    Files.move(place.state(), place.base().resolve("lost"));
    Files.writeString(log, "end\n", StandardOpenOption.APPEND);
    try (TestAgent agent = TestAgent.start(place)) {
      assertTrue(agent.drain().isComplete());
    }
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      Holding held = new Inventory(archive).streams(TestAgent.NAME).values().iterator().next();
      assertEquals(List.of(new ByteRange(0, (1L << 40) + 4)), held.ranges());
    }
  }
}
