package dev.tailwater.delivery;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.StoreSnapshot;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.datafile.DataFileOptions;
import dev.tailwater.store.datafile.DataFileStore;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Bytes that were changed after they had been read are delivered again, also where the checksums of
 * what was delivered are lost.
 */
class LostChecksumsTest {
  /** The checksums of so long a file are beside its checkpoint. */
  private static final int LONG_BYTES = 600_000;

  private TestAgent.Place place;
  private Path file;

  @BeforeEach
  void choosePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    file = place.log("data.db");
  }

  @Test
  void aDrainDeliversWhatWasChangedLast() throws Exception {
    shipAndLoseTheChecksums(archive());
    try (TestAgent agent = TestAgent.start(place)) {
      awaitResumed();
      changeFirstByte();
      assertTrue(agent.drain().isComplete());
    }
    assertArchived();
  }

  @Test
  void aFileIsNotSaidToBeDeliveredWhenItWasChangedLast() throws Exception {
    shipAndLoseTheChecksums(archive());
    try (TestAgent agent = TestAgent.start(place)) {
      awaitResumed();
      changeFirstByte();
      agent.awaitDelivered(file);
      assertArchived();
    }
  }

  @Test
  void whatIsChangedWhileTheFileIsComparedIsDelivered() throws Exception {
    shipAndLoseTheChecksums(archive());
    AtomicBoolean changed = new AtomicBoolean();
    FileCalls calls =
        InterceptedCalls.of(
            TestAgent.REAL_CALLS,
            called -> {
              if (isReadForComparison(called) && !changed.getAndSet(true)) {
                changeFirstByteUnchecked();
              }
            });
    try (TestAgent agent = TestAgent.start(place, place.config(), calls)) {
      awaitResumed();
      assertTrue(agent.drain().isComplete());
    }
    assertTrue(changed.get());
    assertArchived();
  }

  /** The agent dies after the comparison that found it, and before it is durable. */
  @Test
  void whatWasFoundBeforeACrashIsDeliveredAfterIt() throws Exception {
    shipAndLoseTheChecksums(switchedArchive());
    SwitchedDestination archive = switchedArchive();
    CountDownLatch changed = new CountDownLatch(1);
    FileCalls calls =
        InterceptedCalls.of(
            TestAgent.REAL_CALLS,
            called -> {
              if (isReadForComparison(called)) {
                awaitUninterruptibly(changed);
              }
            });
    try (TestAgent agent = TestAgent.start(place.config(), archive, calls)) {
      awaitResumed();
      TestAgent.await("it is acknowledged", () -> atRiskBytes(agent) == 0);
      archive.set(SwitchedDestination.Mode.FULL);
      changeFirstByte();
      changed.countDown();
      TestAgent.await(
          "every block is found, since any may be replaced",
          () ->
              !agent.agent().status(PosixPath.of(file)).isDelivered()
                  && atRiskBytes(agent) == LONG_BYTES + 4);
    }
    try (TestAgent agent =
        TestAgent.start(place.config(), switchedArchive(), TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
    }
    assertArchived();
  }

  private Destination archive() throws IOException {
    return place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE);
  }

  private SwitchedDestination switchedArchive() throws IOException {
    return new SwitchedDestination("archive", archive());
  }

  private static boolean isReadForComparison(Method called) {
    return called.getName().startsWith("pread")
        && Thread.currentThread().getName().equals("compare");
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static long atRiskBytes(TestAgent agent) {
    return agent.agent().status().progress().atRiskBytes();
  }

  /** The checksums of a long file are rows of their own. */
  private void shipAndLoseTheChecksums(Destination to) throws Exception {
    Files.write(file, new byte[LONG_BYTES]);
    try (TestAgent agent = TestAgent.start(place.config(), to, TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
    }
    PosixPath table = PosixPath.of(place.state().resolve("files"));
    WriteBatch lost = new WriteBatch();
    try (DataFileStore store =
        DataFileStore.open(TestAgent.REAL_CALLS, table, DataFileOptions.defaults())) {
      try (StoreSnapshot snapshot = store.snapshot()) {
        snapshot.forEach("blocks/".getBytes(US_ASCII), row -> lost.remove(row.key()));
      }
      assertEquals(1, lost.size());
      store.apply(lost);
    }
  }

  /** Waits until the agent has taken up a file that it knew nothing of, and does not compare it. */
  private void awaitResumed() throws Exception {
    Files.writeString(file, "more", StandardOpenOption.APPEND);
    TestAgent.await("what follows is delivered", () -> archived().length == LONG_BYTES + 4);
  }

  private void changeFirstByte() throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.write('X');
    }
  }

  private void changeFirstByteUnchecked() {
    try {
      changeFirstByte();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private byte[] archived() throws Exception {
    return place.contents().bornAt(file.toString()).getFirst().prefix();
  }

  private void assertArchived() throws Exception {
    assertArrayEquals(Files.readAllBytes(file), archived());
    assertEquals(1, place.contents().bornAt(file.toString()).size());
  }
}
