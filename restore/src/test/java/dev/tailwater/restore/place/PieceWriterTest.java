package dev.tailwater.restore.place;

import static dev.tailwater.posix.NameCalls.AT_FDCWD;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.mount.FileSystemKind;
import dev.tailwater.io.mount.MountInfo;
import dev.tailwater.io.mount.NfsMount;
import dev.tailwater.io.write.BlockWriterOptions;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.restore.Bytes;
import dev.tailwater.restore.StoredSegment;
import dev.tailwater.restore.read.Piece;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which kernel writes a piece becomes. */
class PieceWriterTest {
  private static final int KIB = 1024;

  @TempDir private Path directory;

  private final List<String> writes = new ArrayList<>();

  private static MountInfo mount(String type, int wsizeBytes, long blockBytes) {
    boolean nfs = type.equals("nfs4");
    return new MountInfo(
        PosixPath.of("/mnt"),
        type,
        "source",
        nfs ? List.of("wsize=" + wsizeBytes) : List.of(),
        nfs ? FileSystemKind.REMOTE : FileSystemKind.LOCAL,
        blockBytes,
        false,
        false,
        nfs
            ? Optional.of(new NfsMount("4.2", wsizeBytes, wsizeBytes, false, false))
            : Optional.empty());
  }

  @Test
  void writesAboutHalfAMebibyteInMultiplesOfWhatTheMountWants() {
    assertEquals(512 * KIB, PieceWriter.options(mount("ext4", 0, 4096)).writeBytes());
    assertEquals(512 * KIB, PieceWriter.options(mount("nfs4", 64 * KIB, 4096)).writeBytes());
    assertEquals(384 * KIB, PieceWriter.options(mount("nfs4", 192 * KIB, 4096)).writeBytes());
    assertEquals(1024 * KIB, PieceWriter.options(mount("nfs4", 1024 * KIB, 4096)).writeBytes());
    assertEquals(4096, PieceWriter.options(mount("ext4", 0, 1024)).blockBytes());
  }

  /** Writes a segment that begins at 1000, of which the piece is a part. */
  private void write(byte[] segment, ByteRange wanted, FaultPlan plan) throws IOException {
    FaultyFileCalls calls =
        FaultyFileCalls.wrap(
            LinuxFileCalls.create(),
            call -> {
              if (call.is("pwrite")) {
                long at = (long) call.arguments().get(2);
                writes.add(at + "+" + ((MemorySegment) call.arguments().get(1)).byteSize());
              }
              return plan.decide(call);
            });
    BlockWriterOptions options = PieceWriter.options(mount("ext4", 0, 4096));
    StoredSegment stored =
        new StoredSegment(
            new ByteRange(1000, 1000 + segment.length), 1, 0, false, false, Optional.empty());
    try (Arena arena = Arena.ofConfined();
        Descriptor file =
            Descriptor.open(
                calls.calls(),
                AT_FDCWD,
                PosixPath.of(directory.resolve("file")),
                EnumSet.of(OpenFlag.READ_WRITE, OpenFlag.CREATE),
                0600);
        PieceWriter writer =
            PieceWriter.of(
                file,
                options,
                arena.allocate(options.writeBytes(), 4096),
                new Piece(stored, wanted))) {
      long before = calls.callCount();
      try {
        writer.write(segment, 0, 10);
        writer.write(segment[10]);
        writer.write(segment, 11, segment.length - 11);
        writer.finish();
      } catch (ErrnoException e) {
        assertEquals(Optional.of(e), writer.failure());
        throw e;
      }
      assertEquals(writes.size(), calls.callCount() - before, "nothing but writes");
    }
  }

  @Test
  void writesThePieceAloneAndEndsWritesAtMultiplesOfTheBuffer() throws IOException {
    byte[] segment = Bytes.random(1_200_000, 1);
    write(segment, new ByteRange(5000, 1_150_000), FaultPlan.none());
    assertEquals(List.of("5000+519288", "524288+524288", "1048576+101424"), writes);
    byte[] file = Files.readAllBytes(directory.resolve("file"));
    assertArrayEquals(new byte[5000], Arrays.copyOf(file, 5000));
    assertArrayEquals(
        Arrays.copyOfRange(segment, 4000, 1_149_000), Arrays.copyOfRange(file, 5000, file.length));
  }

  @Test
  void leavesBlocksOfZerosOut() throws IOException {
    byte[] segment = new byte[100_000];
    segment[50_000] = 1;
    write(segment, new ByteRange(1000, 101_000), FaultPlan.none());
    // The block with the one, and those that are not whole.
    assertEquals(List.of("1000+3096", "49152+4096", "98304+2696"), writes);
  }

  @Test
  void tellsTheKernelsRefusalAsItIs() {
    ErrnoException e =
        assertThrows(
            ErrnoException.class,
            () ->
                write(
                    Bytes.random(10_000, 2),
                    new ByteRange(1000, 11_000),
                    FaultPlan.when(call -> call.is("pwrite"), new Fault.Fail(Errno.ENOSPC))));
    assertEquals(Errno.ENOSPC, e.errno());
    assertTrue(String.valueOf(e.getMessage()).matches("pwrite fd \\d+: ENOSPC .*"), e.getMessage());
  }
}
