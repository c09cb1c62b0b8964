package dev.tailwater.io.buffer;

import static dev.tailwater.io.buffer.Messages.message;
import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ByteSourceTest {
  private static final int VALUES = 5000;

  private final FileCalls calls = LinuxFileCalls.create();

  @TempDir private Path directory = Path.of("");

  private static byte[] data() {
    ByteBuffer bytes = ByteBuffer.allocate(VALUES * Long.BYTES);
    LongStream.range(0, VALUES).forEach(bytes::putLong);
    return bytes.array();
  }

  private static void check(ByteSource source, MemorySegment buffer, long first)
      throws IOException {
    ValueReader values = new ValueReader(source, BIG_ENDIAN, buffer);
    for (long i = first; i < VALUES; i++) {
      assertTrue(values.hasNext());
      assertEquals(i, values.nextLong());
    }
    assertFalse(values.hasNext());
    EOFException end = assertThrows(EOFException.class, values::nextLong);
    assertEquals("the data ends at offset " + (VALUES - first) * Long.BYTES, end.getMessage());
  }

  private Descriptor open(Path path) throws IOException {
    return Descriptor.open(calls, FileCalls.AT_FDCWD, PosixPath.of(path), Set.of(), 0);
  }

  @Test
  void aDescriptorIsReadFromAnOffsetByAsFewCallsAsThereAreBuffers() throws IOException {
    Path file = Files.write(directory.resolve("values"), data());
    try (Arena arena = Arena.ofConfined();
        Descriptor descriptor = open(file)) {
      ByteSource source = ByteSources.of(descriptor, 8 * 10);
      int[] reads = {0};
      check(
          target -> {
            reads[0]++;
            return source.read(target);
          },
          arena.allocate(4096),
          10);
      int full = (VALUES - 10) * Long.BYTES / 4096;
      assertEquals(full + 1 + 2, reads[0], "full buffers, the rest, and the end twice");
      assertThrows(IllegalArgumentException.class, () -> ByteSources.of(descriptor, -1));
    }
  }

  @Test
  void aDirectoryIsNamedWithWhatIsWrong() throws IOException {
    try (Arena arena = Arena.ofConfined();
        Descriptor descriptor = open(directory)) {
      ValueReader values =
          new ValueReader(ByteSources.of(descriptor, 0), BIG_ENDIAN, arena.allocate(64));
      IOException failure = assertThrows(IOException.class, values::nextInt);
      assertTrue(
          message(failure).startsWith("reading " + directory + " at offset 0: ")
              && message(failure).contains("EISDIR"),
          message(failure));
    }
  }

  @Test
  void aClosedDescriptorIsRefused() throws IOException {
    Path file = Files.write(directory.resolve("values"), data());
    Descriptor descriptor = open(file);
    try (Arena arena = Arena.ofConfined()) {
      ValueReader values =
          new ValueReader(ByteSources.of(descriptor, 0), BIG_ENDIAN, arena.allocate(64));
      values.nextInt();
      descriptor.close();
      values.skip(60);
      assertThrows(IllegalStateException.class, values::nextInt);
    }
  }

  @Test
  void aStreamIsReadIntoHeapAndNativeMemory() throws IOException {
    check(
        ByteSources.of(new ByteArrayInputStream(data())),
        MemorySegment.ofArray(new byte[1000]).asSlice(3, 900),
        0);
    try (Arena arena = Arena.ofConfined()) {
      check(ByteSources.of(new ByteArrayInputStream(data())), arena.allocate(999), 0);
    }
  }

  @Test
  void aChannelIsReadThoughItGivesLittleAtOnce() throws Exception {
    Path file = Files.write(directory.resolve("values"), data());
    try (Arena arena = Arena.ofConfined();
        FileChannel channel = FileChannel.open(file)) {
      check(ByteSources.of(channel), arena.allocate(100), 0);
    }
    Pipe pipe = Pipe.open();
    Thread writer =
        Thread.ofVirtual()
            .start(
                () -> {
                  try (Pipe.SinkChannel sink = pipe.sink()) {
                    ByteBuffer bytes = ByteBuffer.wrap(data());
                    for (int end = 3; bytes.position() < bytes.capacity(); end += 1111) {
                      bytes.limit(Math.min(end, bytes.capacity()));
                      while (bytes.hasRemaining()) {
                        sink.write(bytes);
                      }
                    }
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
    try (Pipe.SourceChannel channel = pipe.source()) {
      check(ByteSources.of(channel), MemorySegment.ofArray(new byte[512]), 0);
    }
    writer.join();
  }

  @Test
  void aChannelThatDoesNotBlockIsRefused() throws IOException {
    Pipe pipe = Pipe.open();
    try (Pipe.SourceChannel channel = pipe.source();
        Pipe.SinkChannel sink = pipe.sink()) {
      channel.configureBlocking(false);
      ByteSource source = ByteSources.of(channel);
      assertThrows(
          IllegalStateException.class, () -> source.read(MemorySegment.ofArray(new byte[8])));
      assertTrue(sink.isOpen());
    }
  }

  @Test
  void aSourceThatBreaksItsContractIsNamed() {
    MemorySegment buffer = MemorySegment.ofArray(new byte[16]);
    for (int wrong : new int[] {0, -2, 17}) {
      ValueReader values = new ValueReader(_ -> wrong, BIG_ENDIAN, buffer);
      IOException failure = assertThrows(IOException.class, values::nextInt);
      assertEquals(
          "the source says that it read " + wrong + " bytes where 16 fit", failure.getMessage());
    }
    IOException stuck =
        assertThrows(
            IOException.class,
            () -> ByteSources.of(new StuckStream()).read(MemorySegment.ofArray(new byte[8])));
    assertTrue(message(stuck).startsWith("the stream gave no byte"), message(stuck));
  }

  /** Breaks the contract of InputStream. */
  private static final class StuckStream extends InputStream {
    @Override
    public int read() {
      return 0;
    }

    @Override
    public int read(byte[] target, int from, int length) {
      return 0;
    }
  }

  @Test
  void aBufferWithoutRoomForALongIsRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new ValueReader(_ -> ByteSource.END, BIG_ENDIAN, MemorySegment.ofArray(new byte[7])));
    MemorySegment readOnly = MemorySegment.ofArray(new byte[64]).asReadOnly();
    assertThrows(
        IllegalArgumentException.class,
        () -> new ValueReader(_ -> ByteSource.END, BIG_ENDIAN, readOnly));
  }
}
