package dev.tailwater.io.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.testkit.Call;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.WriteFlag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the writer says of durability, and when it stops saying more. */
class BlockWriterDurabilityTest {
  private static final int WINDOW = 8192;
  private static final BlockWriterOptions OPTIONS =
      BlockWriterOptions.defaults().withWriteBytes(WINDOW).withBlockBytes(4096);

  @TempDir private Path directory;

  private WriteHarness harness(FaultPlan plan, OpenFlag... flags) throws IOException {
    return new WriteHarness(directory.resolve("file"), plan, flags);
  }

  @Test
  void onlySyncMovesTheDurableOffsetOfPlainWrites() throws IOException {
    try (WriteHarness harness = harness(FaultPlan.none());
        BlockWriter writer = harness.writer(0, OPTIONS)) {
      writer.write(new byte[3 * WINDOW], 0, 3 * WINDOW);
      writer.flush();
      assertEquals(3 * WINDOW, writer.flushedOffsetBytes());
      assertEquals(0, writer.durableOffsetBytes());
      assertEquals(3 * WINDOW, writer.bytesAtRisk());
      writer.sync();
      assertEquals(3 * WINDOW, writer.durableOffsetBytes());
      writer.sync();
      assertEquals(1, harness.calls("fdatasync"), "nothing was at risk the second time");
    }
  }

  @Test
  void durableOffsetFollowsTheKernelWritesOfASynchronousDescriptor() throws IOException {
    try (WriteHarness harness = harness(FaultPlan.none(), OpenFlag.DATA_SYNC);
        BlockWriter writer = harness.writer(0, OPTIONS.with(WriteTrait.DURABLE_WRITES))) {
      writer.write(new byte[100], 0, 100);
      assertEquals(0, writer.durableOffsetBytes(), "gathered, and so not durable yet");
      assertEquals(100, writer.bytesAtRisk());
      writer.write(new byte[WINDOW], 0, WINDOW);
      assertEquals(WINDOW, writer.durableOffsetBytes());
      writer.flush();
      assertEquals(WINDOW + 100, writer.durableOffsetBytes());
      writer.sync();
      assertEquals(0, harness.calls("fdatasync") + harness.calls("pwritev2"));
    }
  }

  @Test
  void durableOffsetFollowsTheKernelWritesOfASynchronousMount() throws IOException {
    BlockWriterOptions options = OPTIONS.with(WriteTrait.SYNCHRONOUS_MOUNT).withFlushEachWrite();
    try (WriteHarness harness = harness(FaultPlan.none());
        BlockWriter writer = harness.writer(0, options)) {
      writer.write(new byte[100], 0, 100);
      assertEquals(100, writer.durableOffsetBytes());
      writer.sync();
      assertEquals(0, harness.calls("fdatasync"));
    }
  }

  @Test
  void durableWritesAskTheKernelForIt() throws IOException {
    try (WriteHarness harness = harness(FaultPlan.none());
        BlockWriter writer = harness.writer(0, OPTIONS.with(WriteTrait.DURABLE_WRITES))) {
      writer.write(new byte[WINDOW], 0, WINDOW);
      assertEquals(WINDOW, writer.durableOffsetBytes());
      assertEquals(1, harness.calls("pwritev2"));
      assertEquals(0, harness.calls("fdatasync"));
    }
  }

  private static FaultPlan refusing(WriteFlag flag, Errno errno) {
    return FaultPlan.when(
        call -> call.is("pwritev2") && ((Set<?>) call.arguments().get(3)).contains(flag),
        new Fault.Fail(errno));
  }

  @Test
  void syncsAfterEachWriteWhereTheKernelKnowsNoDurableOnes() throws IOException {
    try (WriteHarness harness = harness(refusing(WriteFlag.DATA_SYNC, Errno.EOPNOTSUPP));
        BlockWriter writer = harness.writer(0, OPTIONS.with(WriteTrait.DURABLE_WRITES))) {
      writer.write(new byte[2 * WINDOW], 0, 2 * WINDOW);
      assertEquals(2 * WINDOW, writer.durableOffsetBytes());
      assertEquals(2, harness.calls("fdatasync"));
      assertEquals(1, writer.fallbacks().size());
      assertTrue(
          writer.fallbacks().getFirst().contains("EOPNOTSUPP"), writer.fallbacks()::toString);
    }
  }

  @Test
  void dropsByAdviceWhereTheKernelKnowsNoUncachedWrites() throws IOException {
    int bytes = 20 << 20;
    try (WriteHarness harness = harness(refusing(WriteFlag.DONT_CACHE, Errno.EOPNOTSUPP));
        BlockWriter writer =
            harness.writer(0, OPTIONS.withWriteBytes(1 << 20).with(WriteTrait.DROP_BEHIND))) {
      writer.write(new byte[bytes], 0, bytes);
      assertEquals(2, harness.calls("fadvise"));
      assertEquals(1, writer.fallbacks().size(), writer.fallbacks()::toString);
      writer.sync();
      assertEquals(3, harness.calls("fadvise"));
    }
  }

  @Test
  void failedSyncIsFinalAndTheDurableOffsetStaysTrue() throws IOException {
    FaultPlan second =
        FaultPlan.once(new SecondCall("fdatasync")::matches, new Fault.Fail(Errno.EIO));
    try (WriteHarness harness = harness(second)) {
      BlockWriter writer = harness.writer(0, OPTIONS);
      writer.write(new byte[100], 0, 100);
      writer.sync();
      writer.write(new byte[100], 0, 100);
      ErrnoException failure = assertThrows(ErrnoException.class, writer::sync);
      assertEquals(Errno.EIO, failure.errno());
      assertTrue(
          String.valueOf(failure.getMessage()).contains("durable up to 100"), failure::toString);
      assertEquals(failure, writer.failure().orElseThrow());
      // The kernel would say yes now: it tells only once.
      assertThrows(ErrnoException.class, writer::sync);
      assertThrows(ErrnoException.class, writer::flush);
      assertThrows(ErrnoException.class, () -> writer.write(new byte[1], 0, 1));
      assertThrows(ErrnoException.class, () -> writer.seek(0));
      assertEquals(100, writer.durableOffsetBytes());
      assertEquals(100, writer.bytesAtRisk());
      assertEquals(2, harness.calls("fdatasync"));
      int writes = harness.writes.size();
      writer.close();
      assertEquals(writes, harness.writes.size());
    }
  }

  /** Holds for the second call of a method. */
  private static final class SecondCall {
    private final String method;
    private int count;

    SecondCall(String method) {
      this.method = method;
    }

    boolean matches(Call call) {
      return call.is(method) && ++count == 2;
    }
  }

  @Test
  void failedDurableWriteIsFinalToo() throws IOException {
    try (WriteHarness harness = harness(FaultPlan.failOnce("pwritev2", Errno.EIO));
        BlockWriter writer = harness.writer(0, OPTIONS.with(WriteTrait.DURABLE_WRITES))) {
      writer.write(new byte[10], 0, 10);
      assertThrows(ErrnoException.class, writer::flush);
      assertTrue(writer.failure().isPresent());
      assertEquals(0, writer.durableOffsetBytes());
      assertEquals(10, writer.bytesAtRisk());
    }
  }

  @Test
  void failedSyncOfTheFallBackIsFinalToo() throws IOException {
    FaultPlan plan =
        refusing(WriteFlag.DATA_SYNC, Errno.ENOSYS)
            .or(FaultPlan.failOnce("fdatasync", Errno.ENOSPC));
    try (WriteHarness harness = harness(plan);
        BlockWriter writer = harness.writer(0, OPTIONS.with(WriteTrait.DURABLE_WRITES))) {
      writer.write(new byte[10], 0, 10);
      assertThrows(ErrnoException.class, writer::flush);
      assertTrue(writer.failure().isPresent());
      assertEquals(0, writer.durableOffsetBytes());
    }
  }

  @Test
  void fullDiskLosesNothingThatWasAccepted() throws IOException {
    byte[] expected = WriteHarness.bytes(7, 30_000);
    try (WriteHarness harness = harness(FaultPlan.failOnce("pwrite", Errno.ENOSPC));
        BlockWriter writer = harness.writer(0, OPTIONS)) {
      ErrnoException failure =
          assertThrows(ErrnoException.class, () -> writer.write(expected, 0, expected.length));
      String message = String.valueOf(failure.getMessage());
      assertTrue(message.startsWith("pwrite " + harness.path + " at 0: ENOSPC"), message);
      assertTrue(message.contains("accepted up to 8192, handed over up to 0"), message);
      assertFalse(writer.failure().isPresent());
      int accepted = (int) writer.writtenOffsetBytes();
      assertEquals(WINDOW, accepted);
      assertEquals(0, writer.flushedOffsetBytes());
      writer.write(expected, accepted, expected.length - accepted);
      writer.sync();
      assertEquals(expected.length, writer.durableOffsetBytes());
      assertArrayEquals(expected, Files.readAllBytes(harness.path));
    }
  }

  @Test
  void partThatTheKernelTookBeforeItFailedIsCounted() throws IOException {
    byte[] expected = WriteHarness.bytes(8, 6000);
    FaultPlan plan =
        FaultPlan.once(new SecondCall("pwrite")::matches, new Fault.Fail(Errno.EINTR))
            .or(FaultPlan.shortenAll("pwrite", 5000));
    try (WriteHarness harness = harness(plan);
        BlockWriter writer = harness.writer(0, OPTIONS)) {
      writer.write(expected, 0, expected.length);
      assertThrows(ErrnoException.class, writer::flush);
      assertEquals(5000, writer.flushedOffsetBytes());
      writer.flush();
      assertEquals(6000, writer.flushedOffsetBytes());
      assertArrayEquals(expected, Files.readAllBytes(harness.path));
    }
  }

  @Test
  void refusedReservationIsNoFailure() throws IOException {
    try (WriteHarness harness = harness(FaultPlan.failAll("fallocate", Errno.EOPNOTSUPP));
        BlockWriter writer = harness.writer(0, OPTIONS.withPreallocateBytes(1 << 20))) {
      writer.write(new byte[100_000], 0, 100_000);
      writer.sync();
      assertEquals(1, harness.calls("fallocate"));
      assertEquals(1, writer.fallbacks().size());
    }
  }
}
