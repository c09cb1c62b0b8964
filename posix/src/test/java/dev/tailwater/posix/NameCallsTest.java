package dev.tailwater.posix;

import static dev.tailwater.posix.NameCalls.AT_FDCWD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.binding.NameBindings;
import dev.tailwater.posix.binding.Scratch;
import dev.tailwater.posix.binding.ScratchPool;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.RenameFlag;
import dev.tailwater.posix.value.ResolveFlag;
import dev.tailwater.posix.value.StatFlag;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NameCallsTest {
  private static final Set<OpenFlag> READ = Set.of();
  private static final Set<OpenFlag> CREATE =
      EnumSet.of(OpenFlag.READ_WRITE, OpenFlag.CREATE, OpenFlag.EXCLUSIVE);
  private static final Set<ResolveFlag> BENEATH = EnumSet.of(ResolveFlag.BENEATH);

  private final FileCalls calls = LinuxFileCalls.create();
  @TempDir private Path directory;
  private PosixPath root = PosixPath.EMPTY;
  private int rootFd;

  @BeforeEach
  void openDirectory() throws IOException {
    root = PosixPath.of(directory);
    rootFd = calls.open(AT_FDCWD, root, EnumSet.of(OpenFlag.DIRECTORY), 0);
  }

  @AfterEach
  void closeDirectory() throws IOException {
    calls.close(rootFd);
  }

  private static PosixPath path(String text) {
    return PosixPath.of(text);
  }

  private void create(String name) throws IOException {
    calls.close(calls.open(rootFd, path(name), CREATE, 0644));
  }

  @Test
  void createsWithModeAndOnlyOnce() throws IOException {
    int fd = calls.open(rootFd, path("new"), CREATE, 0600);
    assertEquals(0600, calls.fstat(fd).permissions());
    calls.close(fd);
    ErrnoException failure =
        Expect.errno(Errno.EEXIST, () -> calls.open(rootFd, path("new"), CREATE, 0600));
    assertEquals("open fd " + rootFd + "/new: EEXIST (File exists)", failure.getMessage());
  }

  @Test
  void opensNamesThatAreNotUtf8() throws IOException {
    PosixPath name = PosixPath.of(new byte[] {(byte) 0xC3, (byte) 0x28, ' ', '\n'});
    calls.close(calls.open(rootFd, name, CREATE, 0600));
    List<DirectoryEntry> entries = calls.entries(rootFd);
    assertEquals(1, entries.size());
    assertEquals(name, entries.getFirst().name());
    calls.unlink(rootFd, name);
  }

  @Test
  void openSaysErrno() throws IOException {
    create("file");
    Files.createSymbolicLink(directory.resolve("link"), Path.of("file"));
    Files.createSymbolicLink(directory.resolve("loop"), Path.of("loop"));
    assertEquals(
        "open " + root + "/none: ENOENT (No such file or directory)",
        Expect.errno(Errno.ENOENT, () -> calls.open(AT_FDCWD, root.resolve("none"), READ, 0))
            .getMessage());
    Expect.errno(Errno.ENOTDIR, () -> calls.open(rootFd, path("file/x"), READ, 0));
    Expect.errno(
        Errno.ENOTDIR, () -> calls.open(rootFd, path("file"), EnumSet.of(OpenFlag.DIRECTORY), 0));
    Expect.errno(Errno.ELOOP, () -> calls.open(rootFd, path("loop"), READ, 0));
    Expect.errno(
        Errno.ELOOP, () -> calls.open(rootFd, path("link"), EnumSet.of(OpenFlag.NO_FOLLOW), 0));
    Expect.errno(
        Errno.EISDIR, () -> calls.open(AT_FDCWD, root, EnumSet.of(OpenFlag.WRITE_ONLY), 0));
    Expect.errno(Errno.EBADF, () -> calls.open(-1, path("file"), READ, 0));
    Expect.errno(Errno.ENOENT, () -> calls.open(rootFd, PosixPath.EMPTY, READ, 0));
  }

  @Test
  void openWithoutWaitingForAReaderSaysEnxio() throws Exception {
    Path fifo = directory.resolve("fifo");
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
    Expect.errno(
        Errno.ENXIO,
        () ->
            calls.open(
                rootFd, path("fifo"), EnumSet.of(OpenFlag.WRITE_ONLY, OpenFlag.NON_BLOCK), 0));
    int fd = calls.open(rootFd, path("fifo"), EnumSet.of(OpenFlag.NON_BLOCK), 0);
    assertEquals(EntryType.FIFO, calls.fstat(fd).type());
    calls.close(fd);
  }

  @Test
  void tooLongNamesAndPathsSayEnametoolong() {
    Expect.errno(Errno.ENAMETOOLONG, () -> calls.open(rootFd, path("n".repeat(256)), READ, 0));
    Expect.errno(Errno.ENOENT, () -> calls.open(rootFd, path("n".repeat(255)), READ, 0));
    for (int lengthBytes : new int[] {4096, 4097, 5000, 100_000}) {
      PosixPath tooLong = path("./".repeat(lengthBytes / 2) + "x".repeat(lengthBytes % 2));
      Expect.errno(Errno.ENAMETOOLONG, () -> calls.open(rootFd, tooLong, READ, 0));
      Expect.errno(
          Errno.ENAMETOOLONG, () -> calls.rename(rootFd, path("a"), rootFd, tooLong, Set.of()));
    }
    PosixPath longest = path("./".repeat(2047) + "x");
    assertEquals(4095, longest.lengthBytes());
    Expect.errno(Errno.ENOENT, () -> calls.open(rootFd, longest, READ, 0));
  }

  @Test
  void openBeneathStaysInside() throws IOException {
    calls.makeDirectory(rootFd, path("sub"), 0700);
    create("sub/file");
    Files.createSymbolicLink(directory.resolve("out"), Path.of("/etc"));
    Files.createSymbolicLink(directory.resolve("in"), Path.of("sub"));
    calls.close(calls.openBeneath(rootFd, path("sub/file"), READ, 0, BENEATH));
    calls.close(calls.openBeneath(rootFd, path("in/file"), READ, 0, BENEATH));
    calls.close(calls.openBeneath(rootFd, path("sub/new"), CREATE, 0600, BENEATH));
    ErrnoException failure =
        Expect.errno(Errno.EXDEV, () -> calls.openBeneath(rootFd, path("../x"), READ, 0, BENEATH));
    assertEquals(
        "openat2 fd " + rootFd + "/../x: EXDEV (Invalid cross-device link)", failure.getMessage());
    Expect.errno(
        Errno.EXDEV, () -> calls.openBeneath(rootFd, path("out/passwd"), READ, 0, BENEATH));
    Expect.errno(
        Errno.EXDEV, () -> calls.openBeneath(rootFd, path("/etc/passwd"), READ, 0, BENEATH));
    Expect.errno(
        Errno.ELOOP,
        () ->
            calls.openBeneath(
                rootFd, path("in/file"), READ, 0, EnumSet.of(ResolveFlag.NO_SYMLINKS)));
    Expect.errno(
        Errno.ENOENT,
        () ->
            calls.openBeneath(
                rootFd, path("out/passwd"), READ, 0, EnumSet.of(ResolveFlag.IN_ROOT)));
    Expect.errno(
        Errno.ELOOP,
        () ->
            calls.openBeneath(
                AT_FDCWD,
                path("/proc/self/fd/" + rootFd),
                READ,
                0,
                EnumSet.of(ResolveFlag.NO_MAGIC_LINKS)));
    Expect.errno(
        Errno.EXDEV,
        () ->
            calls.openBeneath(
                AT_FDCWD, path("/proc/self"), READ, 0, EnumSet.of(ResolveFlag.NO_CROSS_DEVICE)));
    Expect.errno(
        Errno.EINVAL,
        () ->
            calls.openBeneath(
                rootFd,
                path("sub"),
                READ,
                0,
                EnumSet.of(ResolveFlag.BENEATH, ResolveFlag.IN_ROOT)));
    calls.unlink(rootFd, path("out"));
  }

  @Test
  void closeFreesTheDescriptorAndSaysEbadfAfterwards() throws IOException {
    int fd = calls.open(AT_FDCWD, root, READ, 0);
    calls.close(fd);
    assertEquals(
        "close fd " + fd + ": EBADF (Bad file descriptor)",
        Expect.errno(Errno.EBADF, () -> calls.close(fd)).getMessage());
  }

  @Test
  void renamesReplacesAndExchanges() throws IOException {
    Files.writeString(directory.resolve("a"), "a");
    Files.writeString(directory.resolve("b"), "b");
    calls.rename(rootFd, path("a"), rootFd, path("b"), EnumSet.of(RenameFlag.EXCHANGE));
    assertEquals("b", Files.readString(directory.resolve("a")));
    ErrnoException failure =
        Expect.errno(
            Errno.EEXIST,
            () ->
                calls.rename(
                    rootFd, path("a"), rootFd, path("b"), EnumSet.of(RenameFlag.NO_REPLACE)));
    assertEquals(
        "rename fd %d/a -> fd %d/b: EEXIST (File exists)".formatted(rootFd, rootFd),
        failure.getMessage());
    calls.rename(rootFd, path("a"), rootFd, path("b"), Set.of());
    assertEquals("b", Files.readString(directory.resolve("b")));
    assertFalse(Files.exists(directory.resolve("a")));
  }

  @Test
  void renameSaysErrno() throws IOException {
    create("file");
    calls.makeDirectory(rootFd, path("empty"), 0700);
    calls.makeDirectory(rootFd, path("full"), 0700);
    create("full/file");
    Expect.errno(
        Errno.ENOENT, () -> calls.rename(rootFd, path("none"), rootFd, path("x"), Set.of()));
    Expect.errno(
        Errno.ENOTEMPTY, () -> calls.rename(rootFd, path("empty"), rootFd, path("full"), Set.of()));
    Expect.errno(
        Errno.EISDIR, () -> calls.rename(rootFd, path("file"), rootFd, path("empty"), Set.of()));
    Expect.errno(
        Errno.ENOTDIR, () -> calls.rename(rootFd, path("empty"), rootFd, path("file"), Set.of()));
    Expect.errno(
        Errno.EINVAL, () -> calls.rename(rootFd, path("full"), rootFd, path("full/sub"), Set.of()));
    Expect.errno(
        Errno.EINVAL,
        () ->
            calls.rename(
                rootFd, path("file"), rootFd, path("full"), EnumSet.allOf(RenameFlag.class)));
  }

  @Test
  void linksAndUnlinks() throws IOException {
    create("file");
    calls.link(rootFd, path("file"), rootFd, path("second"));
    assertEquals(2, calls.statx(rootFd, path("second"), Set.of()).links());
    Expect.errno(Errno.EEXIST, () -> calls.link(rootFd, path("file"), rootFd, path("second")));
    Expect.errno(Errno.EPERM, () -> calls.link(AT_FDCWD, root, rootFd, path("directory")));
    int fd = calls.open(rootFd, path("file"), READ, 0);
    calls.unlink(rootFd, path("file"));
    calls.unlink(rootFd, path("second"));
    assertEquals(0, calls.fstat(fd).links());
    calls.close(fd);
    Expect.errno(Errno.ENOENT, () -> calls.unlink(rootFd, path("file")));
  }

  @Test
  void makesAndRemovesDirectories() throws IOException {
    calls.makeDirectory(rootFd, path("sub"), 0700);
    assertEquals(0700, calls.statx(rootFd, path("sub"), Set.of()).permissions());
    Expect.errno(Errno.EEXIST, () -> calls.makeDirectory(rootFd, path("sub"), 0700));
    Expect.errno(Errno.EISDIR, () -> calls.unlink(rootFd, path("sub")));
    create("sub/file");
    assertEquals(
        "rmdir fd " + rootFd + "/sub: ENOTEMPTY (Directory not empty)",
        Expect.errno(Errno.ENOTEMPTY, () -> calls.removeDirectory(rootFd, path("sub")))
            .getMessage());
    Expect.errno(Errno.ENOTDIR, () -> calls.removeDirectory(rootFd, path("sub/file")));
    calls.unlink(rootFd, path("sub/file"));
    calls.removeDirectory(rootFd, path("sub"));
    Expect.errno(Errno.ENOENT, () -> calls.removeDirectory(rootFd, path("sub")));
  }

  @Test
  void makesLinksThatLeadNowhereAndChangesThemAlone() throws IOException {
    PosixPath link = path("link");
    calls.symbolicLink(path("../nowhere"), rootFd, link);
    assertEquals(path("../nowhere"), calls.readLink(rootFd, link));
    calls.changeModificationTime(rootFd, link, 1_700_000_000L, 5);
    long user = calls.effectiveUserId();
    FileStatus before = calls.statx(rootFd, link, EnumSet.of(StatFlag.NO_FOLLOW));
    calls.changeOwner(rootFd, link, user, before.groupId());
    FileStatus status = calls.statx(rootFd, link, EnumSet.of(StatFlag.NO_FOLLOW));
    assertEquals(1_700_000_000_000_000_005L, status.modificationTimeNanos());
    assertEquals(user, status.ownerId());
    assertEquals(Files.getAttribute(directory, "unix:gid"), (int) before.groupId());
    Expect.errno(Errno.EEXIST, () -> calls.symbolicLink(path("x"), rootFd, link));
    Expect.errno(Errno.ENOENT, () -> calls.symbolicLink(path(""), rootFd, path("empty")));
    Expect.errno(Errno.ENOENT, () -> calls.changeOwner(rootFd, path("absent"), user, 0));
    Expect.errno(Errno.ENOENT, () -> calls.changeModificationTime(rootFd, path("absent"), 0, 0));
  }

  @Test
  void aFileWithoutANameGetsOneThatIsFree() throws IOException {
    create("taken");
    Set<OpenFlag> unnamed = EnumSet.of(OpenFlag.READ_WRITE, OpenFlag.UNNAMED);
    Set<ResolveFlag> inside = EnumSet.of(ResolveFlag.BENEATH, ResolveFlag.NO_SYMLINKS);
    int fd = calls.openBeneath(rootFd, path("."), unnamed, 0640, inside);
    assertEquals(0, calls.fstat(fd).links());
    assertEquals(0640, calls.fstat(fd).permissions());
    assertEquals(
        "link fd " + fd + " -> fd " + rootFd + "/taken: EEXIST (File exists)",
        Expect.errno(Errno.EEXIST, () -> calls.linkOpenFile(fd, rootFd, path("taken")))
            .getMessage());
    Expect.errno(Errno.ENOENT, () -> calls.linkOpenFile(fd, rootFd, path("absent/file")));
    calls.linkOpenFile(fd, rootFd, path("free"));
    assertEquals(
        calls.fstat(fd).inode(),
        calls.statx(rootFd, path("free"), EnumSet.of(StatFlag.NO_FOLLOW)).inode());
    calls.unlink(rootFd, path("free"));
    Expect.errno(Errno.ENOENT, () -> calls.linkOpenFile(fd, rootFd, path("again")));
    calls.close(fd);
  }

  /** The kernel links by the descriptor alone only for whom it has opened, or for root. */
  @Test
  void withoutPrivilegeAFileWithoutANameGetsOneByProc() throws Exception {
    create("taken");
    Set<OpenFlag> unnamed = EnumSet.of(OpenFlag.READ_WRITE, OpenFlag.UNNAMED);
    int fd = calls.open(rootFd, path("."), unnamed, 0640);
    FutureTask<Void> powerless =
        new FutureTask<>(
            () -> {
              Capabilities.dropOfThisThread();
              assertEquals(Errno.ENOENT, linkByDescriptor(fd, path("free")));
              Expect.errno(Errno.EEXIST, () -> calls.linkOpenFile(fd, rootFd, path("taken")));
              calls.linkOpenFile(fd, rootFd, path("free"));
              return null;
            });
    Thread.ofPlatform().start(powerless);
    powerless.get();
    assertEquals(
        calls.fstat(fd).inode(),
        calls.statx(rootFd, path("free"), EnumSet.of(StatFlag.NO_FOLLOW)).inode());
    calls.close(fd);
  }

  /** Links as the call does first, and returns how that failed. */
  private Errno linkByDescriptor(int fd, PosixPath name) {
    try (Scratch scratch = new ScratchPool().acquire()) {
      MemorySegment itself = scratch.path(PosixPath.EMPTY);
      MemorySegment there = scratch.otherPath(name);
      int emptyPath = 0x1000;
      assertEquals(-1, NameBindings.linkat(scratch.errno(), fd, itself, rootFd, there, emptyPath));
      return scratch.failure("link", fd).errno();
    }
  }

  @Test
  void readsLinks() throws IOException {
    String longest = "x/".repeat(2047) + "y";
    Files.createSymbolicLink(directory.resolve("short"), Path.of("some/where"));
    Files.createSymbolicLink(directory.resolve("long"), Path.of(longest));
    assertEquals(path("some/where"), calls.readLink(rootFd, path("short")));
    assertEquals(path(longest), calls.readLink(rootFd, path("long")));
    Expect.errno(Errno.EINVAL, () -> calls.readLink(AT_FDCWD, root));
    Expect.errno(Errno.ENOENT, () -> calls.readLink(rootFd, path("none")));
    int fd = calls.open(rootFd, path("short"), EnumSet.of(OpenFlag.PATH, OpenFlag.NO_FOLLOW), 0);
    assertEquals(path("some/where"), calls.readLink(fd, PosixPath.EMPTY));
    calls.close(fd);
  }

  @Test
  void listsMoreNamesThanFitInOneRead() throws IOException {
    List<PosixPath> names =
        IntStream.range(0, 2000)
            .mapToObj(i -> path("name-%05d-%s".formatted(i, "x".repeat(i % 40))))
            .toList();
    for (PosixPath name : names) {
      create(name.toString());
    }
    for (int i = 0; i < 2; i++) { // each call starts again
      List<DirectoryEntry> entries = calls.entries(rootFd);
      assertEquals(names, entries.stream().map(DirectoryEntry::name).sorted().toList());
    }
  }

  @Test
  void listsTypesAndInodes() throws IOException {
    create("file");
    calls.makeDirectory(rootFd, path("sub"), 0700);
    Files.createSymbolicLink(directory.resolve("zlink"), Path.of("file"));
    List<DirectoryEntry> entries =
        calls.entries(rootFd).stream().sorted(Comparator.comparing(DirectoryEntry::name)).toList();
    assertEquals(
        List.of(EntryType.REGULAR, EntryType.DIRECTORY, EntryType.SYMBOLIC_LINK),
        entries.stream().map(DirectoryEntry::type).toList());
    for (DirectoryEntry entry : entries) {
      FileStatus status = calls.statx(rootFd, entry.name(), EnumSet.of(StatFlag.NO_FOLLOW));
      assertEquals(status.inode(), entry.inode());
      assertEquals(status.type(), entry.type());
    }
  }

  @Test
  void nextEntriesListEachNameOnceAndEndWithNothing() throws IOException {
    List<PosixPath> names =
        IntStream.range(1000, 2000).mapToObj(i -> path("n".repeat(200) + i)).toList();
    for (PosixPath name : names) {
      create(name.toString());
    }
    int fd = calls.open(rootFd, path("."), EnumSet.of(OpenFlag.DIRECTORY), 0);
    List<PosixPath> listed = new ArrayList<>();
    int portions = 0;
    while (calls.nextEntries(fd, entry -> listed.add(entry.name()))) {
      portions++;
    }
    assertTrue(portions > 1, "all at once");
    assertFalse(calls.nextEntries(fd, entry -> listed.add(entry.name())));
    calls.close(fd);
    assertEquals(names, listed.stream().sorted().toList());
  }

  @Test
  void entriesSayErrno() throws IOException {
    create("file");
    int fd = calls.open(rootFd, path("file"), READ, 0);
    Expect.errno(Errno.ENOTDIR, () -> calls.entries(fd));
    calls.close(fd);
    Expect.errno(Errno.EBADF, () -> calls.entries(fd));
    int pathFd = calls.open(AT_FDCWD, root, EnumSet.of(OpenFlag.PATH), 0);
    Expect.errno(Errno.EBADF, () -> calls.entries(pathFd));
    calls.close(pathFd);
    calls.makeDirectory(rootFd, path("gone"), 0700);
    int goneFd = calls.open(rootFd, path("gone"), READ, 0);
    calls.removeDirectory(rootFd, path("gone"));
    Expect.errno(Errno.ENOENT, () -> calls.entries(goneFd));
    calls.close(goneFd);
  }

  @Test
  void closesOnExec() throws IOException {
    String flags = Files.readString(Path.of("/proc/self/fdinfo/" + rootFd));
    String octal = flags.lines().filter(l -> l.startsWith("flags:")).findFirst().orElseThrow();
    int bits = Integer.parseInt(octal.substring("flags:".length()).strip(), 8);
    assertEquals(02000000, bits & 02000000);
  }
}
