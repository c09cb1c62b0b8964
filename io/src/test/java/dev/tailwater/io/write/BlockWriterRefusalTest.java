package dev.tailwater.io.write;

import static dev.tailwater.posix.NameCalls.AT_FDCWD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.NotARegularFileException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Descriptors and arguments that a writer cannot take. */
class BlockWriterRefusalTest {
  private static final BlockWriterOptions OPTIONS = BlockWriterOptions.defaults();

  private final FileCalls calls = LinuxFileCalls.create();
  @TempDir private Path directory;

  private Descriptor open(Path path, Set<OpenFlag> flags) throws IOException {
    return Descriptor.open(calls, AT_FDCWD, PosixPath.of(path), flags, 0600);
  }

  @Test
  void refusesWhatIsNoRegularFile() throws IOException {
    try (Descriptor file = open(directory, Set.of())) {
      assertThrows(NotARegularFileException.class, () -> BlockWriter.over(file, 0, OPTIONS));
    }
    try (Descriptor file = open(Path.of("/dev/null"), EnumSet.of(OpenFlag.WRITE_ONLY))) {
      assertThrows(NotARegularFileException.class, () -> BlockWriter.over(file, 0, OPTIONS));
    }
    Path made = Path.of("/proc/self/comm");
    try (Descriptor file = open(made, EnumSet.of(OpenFlag.WRITE_ONLY))) {
      assertThrows(NotARegularFileException.class, () -> BlockWriter.over(file, 0, OPTIONS));
    }
  }

  @Test
  void refusesAFifo() throws Exception {
    Path fifo = directory.resolve("fifo");
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
    try (Descriptor file = open(fifo, EnumSet.of(OpenFlag.READ_WRITE))) {
      assertThrows(NotARegularFileException.class, () -> BlockWriter.over(file, 0, OPTIONS));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = OpenFlag.class,
      names = {"APPEND", "DIRECT", "NON_BLOCK"})
  void refusesDescriptorsThatWriteOtherwise(OpenFlag flag) throws IOException {
    Path path = directory.resolve("file");
    EnumSet<OpenFlag> flags = EnumSet.of(OpenFlag.CREATE, flag);
    if (flag != OpenFlag.NON_BLOCK) { // that one only stands for a descriptor that is read only
      flags.add(OpenFlag.WRITE_ONLY);
    }
    try (Descriptor file = open(path, flags)) {
      IllegalArgumentException refusal =
          assertThrows(IllegalArgumentException.class, () -> BlockWriter.over(file, 0, OPTIONS));
      assertTrue(String.valueOf(refusal.getMessage()).startsWith(path + " is "), refusal::toString);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE})
  void refusesOffsetsThatNoFileHas(long offsetBytes) throws IOException {
    try (Descriptor file =
        open(directory.resolve("file"), EnumSet.of(OpenFlag.WRITE_ONLY, OpenFlag.CREATE))) {
      assertThrows(
          IllegalArgumentException.class, () -> BlockWriter.over(file, offsetBytes, OPTIONS));
      try (BlockWriter writer = BlockWriter.over(file, 0, OPTIONS)) {
        assertThrows(IllegalArgumentException.class, () -> writer.seek(offsetBytes));
        assertThrows(IndexOutOfBoundsException.class, () -> writer.write(new byte[4], 2, 3));
        assertThrows(IndexOutOfBoundsException.class, () -> writer.write(new byte[4], -1, 1));
      }
    }
  }

  @Test
  void saysItsNameWhenItIsUsedAfterClose() throws IOException {
    Path path = directory.resolve("file");
    try (Descriptor file = open(path, EnumSet.of(OpenFlag.WRITE_ONLY, OpenFlag.CREATE))) {
      BlockWriter writer = BlockWriter.over(file, 0, OPTIONS);
      writer.close();
      IllegalStateException refusal =
          assertThrows(IllegalStateException.class, () -> writer.write(new byte[1], 0, 1));
      assertEquals("the writer of " + path + " is closed", refusal.getMessage());
      assertThrows(IllegalStateException.class, writer::sync);
      assertThrows(IllegalStateException.class, () -> writer.seek(0));
    }
  }

  @Test
  void refusesOptionsThatCannotBe() {
    assertThrows(IllegalArgumentException.class, () -> OPTIONS.withWriteBytes(0));
    assertThrows(
        IllegalArgumentException.class,
        () -> OPTIONS.withWriteBytes(BlockWriterOptions.MAX_WRITE_BYTES + 1));
    assertThrows(IllegalArgumentException.class, () -> OPTIONS.withBlockBytes(1000));
    assertThrows(IllegalArgumentException.class, () -> OPTIONS.withBlockBytes(256));
    assertThrows(IllegalArgumentException.class, () -> OPTIONS.withMaxUnflushedBytes(-1));
    assertThrows(IllegalArgumentException.class, () -> OPTIONS.withPreallocateBytes(-1));
  }

  @Test
  void writesBehindTwoGibibytes() throws IOException {
    Path path = directory.resolve("large");
    long offset = (5L << 30) + 123;
    try (Descriptor file = open(path, EnumSet.of(OpenFlag.WRITE_ONLY, OpenFlag.CREATE));
        BlockWriter writer = BlockWriter.over(file, offset, OPTIONS)) {
      writer.write(new byte[300_000], 0, 300_000);
      writer.sync();
      assertEquals(offset + 300_000, Files.size(path));
      assertEquals(offset + 300_000, writer.durableOffsetBytes());
    }
  }
}
