package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.TestAgent.Place;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No descriptor is closed while somebody reads by it; its number would lead to another file. */
class DescriptorsInUseTest {
  private static final long HUGE_BYTES = 1L << 40;

  @TempDir Path base;

  @Test
  void aFileThatAWorkerStillReadsIsClosedWhenTheWorkerIsDone() throws Exception {
    Place place = new Place(base.toRealPath());
    Files.writeString(place.log("a.log"), "one\n");
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    TestAgent agent =
        TestAgent.start(
            place,
            place.config(),
            InterceptedCalls.of(
                TestAgent.REAL_CALLS,
                called -> {
                  if (InterceptedCalls.isReadOfAWorker(called)) {
                    reading.countDown();
                    answer.await();
                  }
                }));
    try {
      reading.await();
      agent.close();
      assertTrue(!agent.descriptors().openDescriptors().isEmpty(), "closed under a reader");
    } finally {
      answer.countDown();
      agent.close();
    }
    TestAgent.await(
        "the last reader has closed the file",
        () -> agent.descriptors().openDescriptors().equals(List.of()));
    agent.descriptors().verify();
  }

  @Test
  void aWorkerInAHugeFileStopsWithItsBlockWhenTheAgentEnds() throws Exception {
    Place place = new Place(base.toRealPath());
    // Or its hole would be delivered without a read.
    FileCalls withoutHoles =
        FaultyFileCalls.wrap(TestAgent.REAL_CALLS, FaultPlan.failAll("seekData", Errno.EINVAL))
            .calls();
    try (RandomAccessFile sparse = new RandomAccessFile(place.log("sparse").toFile(), "rw")) {
      sparse.setLength(HUGE_BYTES);
    }
    CountDownLatch reading = new CountDownLatch(1);
    TestAgent agent =
        TestAgent.start(
            place,
            place.config(),
            InterceptedCalls.of(
                withoutHoles,
                called -> {
                  if (InterceptedCalls.isReadOfAWorker(called)) {
                    reading.countDown();
                  }
                }));
    try (agent) {
      reading.await();
      assertTrue(agent.agent().drain(Optional.of(Duration.ofSeconds(1))).leftBehindBytes() > 0);
    }
    assertEquals(List.of(), agent.descriptors().openDescriptors());
  }
}
