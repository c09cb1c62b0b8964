package dev.tailwater.io.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.ErrnoException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Random;

/** One writer that does random things, and what its file has to be. */
final class WriterLife {
  private static final int MAX_FILE_BYTES = 150_000;
  private static final int ACTIONS = 100;
  private static final int MAX_TRIES = 1000;

  private final String name;
  private final Random random;
  private final WriteHarness harness;
  private final BlockWriter writer;
  private final boolean sparse;
  private final byte[] model = new byte[MAX_FILE_BYTES];
  private int modelEnd;

  /** The bytes of the write that is going on, for a crash in it. */
  private byte[] inFlight = {};

  private int inFlightStart;

  /** Of the last look: start of the run, durable, flushed. */
  private long[] lastLook = {0, 0, 0};

  WriterLife(String name, Random random, WriteHarness harness) throws IOException {
    this.name = name;
    this.random = random;
    this.harness = harness;
    BlockWriterOptions options = randomOptions();
    this.sparse = options.has(WriteTrait.SPARSE);
    this.writer = harness.writer(random.nextInt(20_000), options);
    this.modelEnd = 0;
  }

  private BlockWriterOptions randomOptions() {
    int block = random.nextBoolean() ? 4096 : 1024;
    BlockWriterOptions options =
        BlockWriterOptions.defaults()
            .withBlockBytes(block)
            .withWriteBytes(block * random.nextInt(1, 9))
            .withMaxUnflushedBytes(random.nextInt(4) == 0 ? random.nextInt(9000) : 1 << 30)
            .withPreallocateBytes(random.nextInt(3) == 0 ? random.nextInt(1, 100_000) : 0);
    for (WriteTrait trait : WriteTrait.values()) {
      if (trait != WriteTrait.SYNCHRONOUS_MOUNT && random.nextInt(4) == 0) {
        options = options.with(trait);
      }
    }
    return options;
  }

  void live() throws IOException {
    for (int i = 0; i < ACTIONS; i++) {
      act();
      checkOffsets();
      if (i % 10 == 0) {
        checkHandedOver();
      }
    }
    tryUntilItWorks(writer::flush);
    checkWhole();
    writer.close();
    checkWhole();
  }

  private void act() throws IOException {
    switch (random.nextInt(10)) {
      case 0 -> seek();
      case 1 -> flush();
      case 2 -> sync();
      default -> write();
    }
  }

  private void seek() {
    long before = writer.writtenOffsetBytes();
    int target = random.nextInt(MAX_FILE_BYTES);
    try {
      writer.seek(target);
      assertEquals(target, writer.writtenOffsetBytes(), name);
      lastLook = new long[] {-1, 0, 0};
    } catch (ErrnoException e) {
      assertEquals(before, writer.writtenOffsetBytes(), name);
    }
  }

  private void flush() throws IOException {
    try {
      writer.flush();
    } catch (ErrnoException e) {
      assertTrue(writer.flushedOffsetBytes() < writer.writtenOffsetBytes(), name);
      return;
    }
    checkWhole();
  }

  private void sync() throws IOException {
    try {
      writer.sync();
    } catch (ErrnoException e) {
      return; // the offsets are looked at anyway
    }
    assertEquals(writer.writtenOffsetBytes(), writer.durableOffsetBytes(), name);
    assertEquals(0, writer.bytesAtRisk(), name);
    checkWhole();
  }

  private void write() throws IOException {
    int start = (int) writer.writtenOffsetBytes();
    int most = random.nextInt(5) == 0 ? 50_000 : 3000;
    byte[] bytes = new byte[Math.min(random.nextInt(most), MAX_FILE_BYTES - start)];
    random.nextBytes(bytes);
    if (random.nextInt(3) == 0) {
      int from = random.nextInt(bytes.length + 1);
      Arrays.fill(bytes, from, random.nextInt(from, bytes.length + 1), (byte) 0);
    }
    inFlight = bytes;
    inFlightStart = start;
    int modelEndBefore = modelEnd;
    try {
      write(bytes);
      assertEquals(start + bytes.length, writer.writtenOffsetBytes(), name);
    } catch (ErrnoException e) {
      assertTrue(writer.failure().isEmpty(), name);
    } finally {
      int accepted = (int) writer.writtenOffsetBytes() - start;
      System.arraycopy(bytes, 0, model, start, accepted);
      modelEnd = accepted == 0 ? modelEndBefore : Math.max(modelEndBefore, start + accepted);
    }
    inFlight = new byte[0];
  }

  private void write(byte[] bytes) throws ErrnoException {
    switch (random.nextInt(4)) {
      case 0 -> writer.write(bytes, 0, bytes.length);
      case 1 -> writer.write(ByteBuffer.wrap(bytes));
      case 2 -> writer.write(ByteBuffer.allocateDirect(bytes.length).put(bytes).flip());
      default -> {
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment memory = arena.allocate(bytes.length, random.nextBoolean() ? 1 : 4096);
          writer.write(memory.copyFrom(MemorySegment.ofArray(bytes)));
        }
      }
    }
  }

  private interface Attempt {
    void make() throws ErrnoException;
  }

  private void tryUntilItWorks(Attempt attempt) throws ErrnoException {
    for (int i = 0; i < MAX_TRIES; i++) {
      try {
        attempt.make();
        return;
      } catch (ErrnoException e) {
        assertTrue(writer.failure().isEmpty(), name);
      }
    }
    attempt.make();
  }

  private void checkOffsets() {
    String state = name + " " + writer;
    long[] now = {
      writer.runStartOffsetBytes(), writer.durableOffsetBytes(), writer.flushedOffsetBytes()
    };
    if (now[0] == lastLook[0]) {
      assertTrue(now[1] >= lastLook[1] && now[2] >= lastLook[2], state);
    }
    lastLook = now;
    assertTrue(writer.runStartOffsetBytes() <= writer.durableOffsetBytes(), state);
    assertTrue(writer.durableOffsetBytes() <= writer.flushedOffsetBytes(), state);
    assertTrue(writer.flushedOffsetBytes() <= writer.writtenOffsetBytes(), state);
    assertTrue(
        writer.bytesAtRisk() >= writer.writtenOffsetBytes() - writer.durableOffsetBytes(), state);
  }

  private void checkWhole() throws IOException {
    long size = Files.size(harness.path);
    if (sparse && size < modelEnd) {
      assertEquals(0, modelEnd % writer.blockBytes(), name + " " + writer);
    } else {
      assertEquals(modelEnd, size, name + " " + writer);
    }
    check((int) writer.writtenOffsetBytes());
  }

  /** Every byte that was handed over is in the file, and none that was never accepted. */
  void checkHandedOver() throws IOException {
    check((int) writer.flushedOffsetBytes());
  }

  private void check(int flushedTo) throws IOException {
    byte[] file = Files.readAllBytes(harness.path);
    int pendingEnd = Math.max((int) writer.writtenOffsetBytes(), inFlightStart + inFlight.length);
    for (int i = 0; i < Math.max(modelEnd, file.length); i++) {
      boolean pending = i >= flushedTo && i < pendingEnd;
      byte actual = i < file.length ? file[i] : 0;
      if (!pending && actual != model[i]) {
        throw new AssertionError(
            name + ": byte " + i + " is " + actual + ", not " + model[i] + "; " + writer);
      }
    }
  }
}
