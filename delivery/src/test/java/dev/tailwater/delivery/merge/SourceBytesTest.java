package dev.tailwater.delivery.merge;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.tail.ArchivedNames;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SourceBytesTest {
  private static final byte[] CONTENT = {1, 2, 3, 4, 5};

  @TempDir Path directory;

  private final FileCalls calls = LinuxFileCalls.create();
  private PosixPath path;
  private WatchedFile watched;
  private StreamProgress stream;

  @BeforeEach
  void setUp() throws IOException {
    path = PosixPath.of(Files.write(directory.resolve("app.log"), CONTENT));
    Descriptor open = Descriptor.open(calls, NameCalls.AT_FDCWD, path, Set.of(), 0);
    FileIdentity identity = FileIdentity.of(calls, open.fd());
    stream = StreamProgress.begin("agent", identity, StreamId.of("agent", identity, 0), path, 0);
    watched = new WatchedFile(open, path, identity, ArchivedNames.OWN, _ -> {});
  }

  private byte[] read(FileCalls with) throws IOException {
    CRC32C crc = new CRC32C();
    crc.update(CONTENT);
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    try (SourceBytes source =
        new SourceBytes(new SourceFiles(with, _ -> Optional.of(watched), ArchivedNames.OWN))) {
      source.read(
          stream,
          new ByteRange(0, CONTENT.length),
          (int) crc.getValue(),
          new byte[2],
          (block, lengthBytes) -> read.write(block, 0, lengthBytes));
    }
    return read.toByteArray();
  }

  @Test
  void aFileIsReadByItsNameWhenItsDescriptorIsClosed() throws IOException {
    watched.giveUpDescriptor();
    assertArrayEquals(CONTENT, read(calls));
  }

  @Test
  void aDeletedFileIsReadThroughItsDescriptor() throws IOException {
    Files.delete(path.toPath());
    assertArrayEquals(CONTENT, read(calls));
    watched.giveUpDescriptor();
    assertThrows(SourceBytes.GoneException.class, () -> read(calls));
  }

  @ParameterizedTest
  @EnumSource(
      value = Errno.class,
      names = {"EACCES", "EPERM", "ELOOP", "ENOENT"})
  void whatTheAgentMayNotOpenAnyMoreIsGone(Errno errno) throws IOException {
    FileCalls refused = FaultyFileCalls.wrap(calls, FaultPlan.failAll("open", errno)).calls();
    assertThrows(SourceBytes.GoneException.class, () -> read(refused));
    watched.giveUpDescriptor();
  }

  @Test
  void whatMayPassIsNotGone() throws IOException {
    FileCalls failing =
        FaultyFileCalls.wrap(calls, FaultPlan.failAll("open", Errno.EMFILE)).calls();
    IOException failure = assertThrows(IOException.class, () -> read(failing));
    assertFalse(failure instanceof SourceBytes.GoneException, failure::toString);
    watched.giveUpDescriptor();
  }
}
