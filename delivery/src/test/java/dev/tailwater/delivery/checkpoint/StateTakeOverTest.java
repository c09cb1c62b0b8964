package dev.tailwater.delivery.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.stream.Checkpoint;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.log.TransactionLogStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What earlier agents left in the transaction log is in the table of files after a start. */
class StateTakeOverTest {
  private static final FileCalls CALLS = LinuxFileCalls.create();
  private static final String AGENT = "web-1";
  private static final String URI = "memory:/";
  private static final int FILES = 12;
  private static final byte[] SUMS = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0};

  @TempDir Path base;

  private static FileIdentity identity(int number) {
    return new FileIdentity(7, number, OptionalLong.of(1), OptionalLong.of(1_700_000_000L));
  }

  /** Writes a state as earlier agents did. */
  private Map<StreamId, Checkpoint> earlierState(Path state) throws IOException {
    String destination = CheckpointStore.shortHash(URI);
    Map<StreamId, Checkpoint> expected = new HashMap<>();
    try (KeyValueStore log = TransactionLogStore.open(state)) {
      WriteBatch batch = new WriteBatch();
      for (int i = 0; i < FILES; i++) {
        FileIdentity identity = identity(i);
        StreamProgress stream =
            StreamProgress.begin(
                AGENT,
                identity,
                StreamId.of(AGENT, identity, i % 3),
                PosixPath.of("/var/log/" + i),
                i);
        if (i % 2 == 0) {
          stream.acknowledge(new ByteRange(0, i % 4 == 0 ? 100 : 1 << 20), Marker.NONE);
          batch.put(ascii("blocks/" + destination + "/" + stream.id().text() + "/0"), SUMS);
        }
        Checkpoint checkpoint = stream.checkpoint();
        expected.put(stream.id(), checkpoint);
        batch.put(
            ascii("checkpoint/" + destination + "/" + stream.id().text()),
            bytes(EncodedCheckpoint.of(checkpoint)));
      }
      batch.put(CheckpointStore.settledKey(destination), new byte[] {1});
      log.apply(batch);
    }
    return expected;
  }

  private static byte[] ascii(String text) {
    return CheckpointStore.ascii(text);
  }

  private static AgentState open(FileCalls calls, Path state) throws IOException {
    return AgentState.open(calls, PosixPath.of(state), Instant.EPOCH);
  }

  private static Map<StreamId, Checkpoint> table(AgentState state) throws IOException {
    Map<StreamId, Checkpoint> found = new HashMap<>();
    state.of(URI).files().forEach(checkpoint -> found.put(checkpoint.origin().id(), checkpoint));
    return found;
  }

  private static int inLog(AgentState state, String prefix) throws IOException {
    AtomicInteger count = new AtomicInteger();
    state.notes().forEach(ascii(prefix), (_, _) -> count.incrementAndGet());
    return count.get();
  }

  @Test
  void takesOverEveryCheckpointWithItsBlockSums() throws IOException {
    Map<StreamId, Checkpoint> expected = earlierState(base);
    try (AgentState state = open(CALLS, base)) {
      assertEquals(expected, table(state));
      assertEquals(0, inLog(state, "checkpoint/"));
      assertEquals(0, inLog(state, "blocks/"));
      assertEquals(
          CheckpointStore.PreviousRun.INTERRUPTED, state.of(URI).begin(), "the notes are kept");
      FileTable files = state.of(URI).files();
      for (int i = 0; i < FILES; i += 2) {
        Checkpoint row = files.find(identity(i)).getFirst();
        assertArrayEquals(SUMS, files.withBlockSums(row).rewriting().blockSums().get(0));
      }
    }
    try (AgentState state = open(CALLS, base)) {
      assertEquals(expected, table(state), "after another start");
    }
  }

  @Test
  void losesNothingWhereverATakeOverEnds() throws IOException {
    int calls = 0;
    boolean ended = false;
    while (!ended) {
      Path state = base.resolve("dies-" + calls);
      Map<StreamId, Checkpoint> expected = earlierState(state);
      AtomicInteger left = new AtomicInteger(calls);
      FaultPlan dying =
          call -> {
            boolean writes =
                call.method().startsWith("pwrite")
                    || call.is("fdatasync")
                    || call.is("fsync")
                    || call.is("rename")
                    || call.is("open");
            return writes && left.getAndDecrement() <= 0
                ? new Fault.Fail(Errno.EIO)
                : Fault.PROCEED;
          };
      try (AgentState taken = open(FaultyFileCalls.wrap(CALLS, dying).calls(), state)) {
        ended = inLog(taken, "checkpoint/") == 0 && left.get() > 0;
      } catch (IOException died) {
        assertTrue(left.get() <= 0, "it fails only where it is made to");
      }
      try (AgentState next = open(CALLS, state)) {
        assertTrue(next.setAside().isEmpty(), "after " + calls + " calls");
        assertEquals(expected, table(next), "after " + calls + " calls");
        assertEquals(0, inLog(next, "checkpoint/"));
      }
      calls++;
    }
    assertTrue(calls > 10, "the take-over has some steps");
  }

  private static byte[] bytes(ByteBuffer value) {
    byte[] bytes = new byte[value.remaining()];
    value.get(bytes);
    return bytes;
  }

  @Test
  void earlierAgentsRefuseAStateWhoseCheckpointsAreInTheTable() throws IOException {
    try (AgentState state = open(CALLS, base)) {
      var _ = state.of(URI).begin();
      List<byte[]> left = new ArrayList<>();
      state.notes().forEach(ascii("checkpoint/"), (_, value) -> left.add(value));
      assertEquals(1, left.size());
      assertThrows(
          IOException.class, () -> CheckpointCodec.decode(ByteBuffer.wrap(left.getFirst())));
    }
    try (AgentState state = open(CALLS, base)) {
      assertEquals(Map.of(), table(state), "it is not taken for a checkpoint");
    }
  }

  @Test
  void notesWithoutTheirTableAreSetAside() throws IOException {
    var _ = earlierState(base);
    open(CALLS, base).close();
    Files.move(base.resolve("files"), base.resolve("elsewhere"));
    try (AgentState state = open(CALLS, base)) {
      assertTrue(state.setAside().isPresent());
      assertEquals(CheckpointStore.PreviousRun.NONE, state.of(URI).begin());
    }
    try (AgentState state = open(CALLS, base)) {
      assertFalse(state.setAside().isPresent(), "once");
    }
  }

  @Test
  void aNewTableHasNoRowsUntilAFileIsRecorded() throws IOException {
    try (AgentState state = open(CALLS, base.resolve("new"))) {
      FileTable files = state.of(URI).files();
      assertTrue(files.isEmpty());
      assertTrue(state.of("elsewhere:/").files().isEmpty());
      files.change(earlierState(base.resolve("old")).values(), Map.of(), List.of());
      assertFalse(files.isEmpty());
    }
  }
}
