package dev.tailwater.delivery.seal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.seal.SegmentSealer;
import dev.tailwater.delivery.blocks.BlockExchange;
import dev.tailwater.delivery.blocks.SharedBlock;
import dev.tailwater.io.copy.StreamingCopy;
import dev.tailwater.posix.PosixPath;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workers compress the blocks of one segment together. */
class SegmentSinkTest {
  private static final int BLOCK_BYTES = 1 << 20;
  private static final String AGENT = "tester";
  private static final StreamId STREAM =
      new StreamId("0".repeat(13) + "-" + "1".repeat(16) + "-" + "0".repeat(7));
  private static final PosixPath PATH = PosixPath.of("/var/log/app.log");

  private final byte[] staging = new byte[16 << 20];
  private SegmentSealer sealer;

  @BeforeEach
  void open() {
    sealer = sealer();
  }

  @AfterEach
  void close() {
    sealer.close();
  }

  private static SegmentSealer sealer() {
    return new SegmentSealer(
        new Codec.Zstd(1), List.of(), Optional.empty(), new SecureRandom(), StreamingCopy.load());
  }

  private static byte[] text(int seed, int lengthBytes) {
    byte[] bytes = new byte[lengthBytes];
    new Random(seed).nextBytes(bytes);
    for (int i = 0; i < lengthBytes; i++) {
      bytes[i] = (byte) (bytes[i] & 0x0f);
    }
    return bytes;
  }

  private void begin(SegmentSealer one, byte[] buffer) {
    one.begin(buffer, AGENT, STREAM, ArchiveNames.streamPrefix(AGENT, PATH, STREAM), 7);
  }

  private static byte[] finish(SegmentSealer one) {
    ByteBuffer content = one.finish(PATH, 1, 0640, 2).content();
    byte[] bytes = new byte[content.remaining()];
    content.get(bytes);
    return bytes;
  }

  /** Returns the segment that one worker makes. */
  private byte[] expected(byte[] raw) {
    try (SegmentSealer alone = sealer()) {
      begin(alone, new byte[staging.length]);
      for (int from = 0; from < raw.length; from += BLOCK_BYTES) {
        alone.append(raw, from, Math.min(BLOCK_BYTES, raw.length - from));
      }
      return finish(alone);
    }
  }

  private SegmentSink sink(BlockExchange exchange) {
    begin(sealer, staging);
    SegmentSink sink = new SegmentSink(sealer, exchange, System::nanoTime);
    sink.begin(0);
    return sink;
  }

  /** Appends as a reader does, which reads the next block into the array that it gets. */
  private static void append(SegmentSink sink, byte[] raw) throws InterruptedException {
    byte[] window = new byte[256 + BLOCK_BYTES];
    for (int from = 0; from < raw.length; from += BLOCK_BYTES) {
      int length = Math.min(BLOCK_BYTES, raw.length - from);
      assertTrue(sink.makeRoomFor(length));
      System.arraycopy(raw, from, window, 256, length);
      window = sink.append(window, 256, length);
      assertEquals(256 + BLOCK_BYTES, window.length);
      assertEquals(from + length, sink.rawBytes());
    }
  }

  /** A worker that has nothing else to do. */
  private static Thread helper(BlockExchange exchange, AtomicBoolean ended, boolean failing) {
    exchange.beginHelping();
    return Thread.ofPlatform()
        .start(
            () -> {
              try (SegmentSealer own = sealer()) {
                while (!ended.get()) {
                  exchange.take().ifPresent(block -> help(exchange, own, block, failing));
                  Thread.onSpinWait();
                }
              }
            });
  }

  private static void help(
      BlockExchange exchange, SegmentSealer own, SharedBlock block, boolean failing) {
    if (!failing) {
      own.use(block.codec());
      block.encode(own, System::nanoTime);
    }
    exchange.giveBack(block);
  }

  private void assertSameSegment(int helpers, boolean failing) throws Exception {
    BlockExchange exchange = new BlockExchange(1 + helpers, () -> {});
    AtomicBoolean ended = new AtomicBoolean();
    List<Thread> threads =
        IntStream.range(0, helpers).mapToObj(_ -> helper(exchange, ended, failing)).toList();
    try {
      for (int segment = 0; segment < 2; segment++) {
        byte[] raw = text(segment, 6 * BLOCK_BYTES + segment * 300_000);
        SegmentSink sink = sink(exchange);
        append(sink, raw);
        sink.settle();
        assertArrayEquals(expected(raw), finish(sealer), helpers + " helpers");
      }
    } finally {
      ended.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  @Test
  void theSegmentIsTheSameWhoeverCompressesItsBlocks() throws Exception {
    for (int helpers : new int[] {0, 1, 3}) {
      assertSameSegment(helpers, false);
    }
  }

  @Test
  void aBlockOfAWorkerThatFailsIsCompressedByTheOneThatHasReadIt() throws Exception {
    assertSameSegment(2, true);
  }

  @Test
  void whatNobodyBeginsToCompressIsTakenBack() throws Exception {
    BlockExchange exchange = new BlockExchange(2, () -> {});
    exchange.beginHelping(); // It has found something else to do, and never comes.
    byte[] raw = text(1, 6 * BLOCK_BYTES);
    SegmentSink sink = sink(exchange);
    append(sink, raw);
    sink.settle();
    assertFalse(exchange.isWorkPosted());
    assertArrayEquals(expected(raw), finish(sealer));
  }

  @Test
  void aWorkerThatHasNoHelpKeepsItsArray() throws Exception {
    SegmentSink sink = sink(new BlockExchange(2, () -> {}));
    byte[] window = text(1, BLOCK_BYTES);
    assertSame(window, sink.append(window, 0, window.length));
    assertEquals(sealer.rawBytes(), sink.rawBytes());
  }

  @Test
  void shortBlocksAreNotPassedOn() throws Exception {
    BlockExchange exchange = new BlockExchange(2, () -> {});
    exchange.beginHelping();
    SegmentSink sink = sink(exchange);
    byte[] window = text(1, BLOCK_BYTES);
    assertSame(window, sink.append(window, 0, 100_000));
    assertNotSame(window, sink.append(window, 0, BLOCK_BYTES));
    sink.abandon();
  }

  @Test
  void roomIsReservedForBlocksThatAreNotCompressedYet() throws Exception {
    BlockExchange exchange = new BlockExchange(8, () -> {});
    exchange.beginHelping();
    begin(sealer, new byte[sealer.stagingBytesFor(4L * BLOCK_BYTES)]);
    SegmentSink sink = new SegmentSink(sealer, exchange, System::nanoTime);
    sink.begin(0);
    byte[] raw = text(1, 4 * BLOCK_BYTES);
    append(sink, raw);
    assertEquals(0, sealer.rawBytes(), "nothing had to be appended yet");
    assertTrue(sink.makeRoomFor(BLOCK_BYTES), "text takes less room than it might");
    assertTrue(sealer.rawBytes() > 0);
    sink.settle();
    assertArrayEquals(expected(raw), finish(sealer));
  }

  @Test
  void aBlockOfAnAbandonedSegmentIsUsedAgainWhenItsWorkerIsDone() throws Exception {
    BlockExchange exchange = new BlockExchange(2, () -> {});
    exchange.beginHelping();
    SegmentSink sink = sink(exchange);
    append(sink, text(1, 3 * BLOCK_BYTES));
    SharedBlock taken = exchange.take().orElseThrow();
    sink.abandon();
    sealer.abandon();
    assertFalse(exchange.isWorkPosted());
    List<SharedBlock> others = borrowAll(exchange);
    assertFalse(others.contains(taken), "a worker still has the block");
    exchange.giveBack(taken);
    assertEquals(List.of(taken), borrowAll(exchange));
  }

  @Test
  void aWorkerThatWaitsForAnotherCanBeInterrupted() throws Exception {
    BlockExchange exchange = new BlockExchange(2, () -> {});
    exchange.beginHelping();
    SegmentSink sink = sink(exchange);
    append(sink, text(1, BLOCK_BYTES));
    SharedBlock taken = exchange.take().orElseThrow();
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, sink::settle);
    sink.abandon();
    exchange.giveBack(taken);
    assertTrue(borrowAll(exchange).contains(taken));
  }

  @Test
  void oneWorkerAloneHasNoBlockToShare() {
    assertTrue(new BlockExchange(1, () -> {}).tryBorrow().isEmpty());
  }

  @Test
  void manyWorkersShareFewBlocks() {
    BlockExchange exchange = new BlockExchange(64, () -> {});
    assertEquals(8, borrowAll(exchange).size());
  }

  private static List<SharedBlock> borrowAll(BlockExchange exchange) {
    return Stream.generate(exchange::tryBorrow)
        .takeWhile(Optional::isPresent)
        .map(Optional::orElseThrow)
        .toList();
  }
}
