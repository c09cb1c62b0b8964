package dev.tailwater.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is opened as a regular file, and what is said of everything else. */
@Timeout(60)
final class RegularFileTest {
  private final FaultyFileCalls tracked =
      FaultyFileCalls.wrap(LinuxFileCalls.create(), FaultPlan.none());
  private final FileCalls calls = tracked.calls();

  @TempDir Path directory;

  private Descriptor open(Path path, OpenFlag... flags) throws IOException {
    return Descriptor.openRegularFile(calls, FileCalls.AT_FDCWD, PosixPath.of(path), Set.of(flags));
  }

  private void refuses(Path path, EntryType type, String word) {
    NotARegularFileException e =
        assertThrows(NotARegularFileException.class, () -> open(path).close());
    assertEquals(type, e.type());
    assertEquals(PosixPath.of(path), e.path());
    assertTrue(
        String.valueOf(e.getMessage()).startsWith(path.toString())
            && String.valueOf(e.getMessage()).contains(word),
        e.getMessage());
    assertEquals(0, tracked.openDescriptors().size(), "descriptors left open");
  }

  @Test
  void opensARegularFileAndNothingElseStaysOpen() throws IOException {
    Path file = Files.writeString(directory.resolve("größe"), "x");
    try (Descriptor descriptor = open(file)) {
      assertEquals(1, calls.fstat(descriptor.fd()).sizeBytes());
      assertEquals(1, tracked.openDescriptors().size());
    }
    assertEquals(0, tracked.openDescriptors().size());
  }

  @Test
  void opensAnEmptyFileOfADisk() throws IOException {
    open(Files.createFile(directory.resolve("empty"))).close();
  }

  @Test
  void refusesADirectory() {
    refuses(directory, EntryType.DIRECTORY, "directory");
  }

  @Test
  void refusesAFifoWithoutWaitingForItsWriter() throws Exception {
    Path fifo = directory.resolve("fifo");
    assumeTrue(
        new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor() == 0, "no mkfifo here");
    refuses(fifo, EntryType.FIFO, "FIFO");
  }

  @Test
  void refusesASocket() throws IOException {
    Path socket = directory.resolve("socket");
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      refuses(socket, EntryType.SOCKET, "socket");
    }
  }

  @Test
  void refusesADevice() {
    refuses(Path.of("/dev/null"), EntryType.CHARACTER_DEVICE, "character device");
  }

  @Test
  void refusesWhatTheKernelMakesUp() {
    refuses(Path.of("/proc/self/status"), EntryType.REGULAR, "Files.newInputStream");
    refuses(Path.of("/sys/kernel/mm/transparent_hugepage/enabled"), EntryType.REGULAR, "kernel");
    refuses(Path.of("/proc/self/ns/mnt"), EntryType.REGULAR, "kernel");
  }

  @Test
  void followsALinkUnlessToldNotTo() throws IOException {
    Path file = Files.writeString(directory.resolve("x"), "x");
    Path link = Files.createSymbolicLink(directory.resolve("link"), file);
    open(link).close();
    NotARegularFileException e =
        assertThrows(NotARegularFileException.class, () -> open(link, OpenFlag.NO_FOLLOW).close());
    assertEquals(EntryType.SYMBOLIC_LINK, e.type());
    open(file, OpenFlag.NO_FOLLOW).close();
  }

  @Test
  void namesThePathOfAFileThatIsNotThere() {
    Path missing = directory.resolve("missing");
    ErrnoException e = assertThrows(ErrnoException.class, () -> open(missing).close());
    assertEquals(Errno.ENOENT, e.errno());
    assertEquals(missing.toString(), e.subject());
  }

  @Test
  void namesThePathWhenOpeningFails() throws IOException {
    Path file = Files.writeString(directory.resolve("x"), "x");
    FaultyFileCalls faulty =
        FaultyFileCalls.wrap(
            LinuxFileCalls.create(),
            FaultPlan.when(
                call -> call.is("open") && call.number() > 1, new Fault.Fail(Errno.EACCES)));
    ErrnoException e =
        assertThrows(
            ErrnoException.class,
            () ->
                Descriptor.openRegularFile(
                    faulty.calls(), FileCalls.AT_FDCWD, PosixPath.of(file), Set.of()));
    assertEquals("open " + file + ": EACCES (Permission denied)", e.getMessage());
    assertEquals(0, faulty.openDescriptors().size());
  }

  @Test
  void opensByNameWhereProcIsNotMounted() throws IOException {
    Path file = Files.writeString(directory.resolve("x"), "x");
    FaultPlan noProc =
        FaultPlan.when(
            call ->
                call.is("open") && call.arguments().get(1).toString().startsWith("/proc/self/fd"),
            new Fault.Fail(Errno.ENOENT));
    FaultyFileCalls faulty = FaultyFileCalls.wrap(LinuxFileCalls.create(), noProc);
    try (Descriptor descriptor =
        Descriptor.openRegularFile(
            faulty.calls(), FileCalls.AT_FDCWD, PosixPath.of(file), Set.of())) {
      assertEquals(1, calls.fstat(descriptor.fd()).sizeBytes());
    }
    assertEquals(0, faulty.openDescriptors().size());
  }

  @Test
  void refusesFlagsThatMakeNoSenseForIt() {
    assertThrows(
        IllegalArgumentException.class, () -> open(directory.resolve("new"), OpenFlag.CREATE));
  }
}
