package dev.tailwater.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.value.FanotifyEvent;
import dev.tailwater.posix.value.FileHandle;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole file systems; other programs write there too, so only what is about ours is compared. */
class FanotifyCallsTest {
  private static final Set<FanotifyEvent> CHANGES =
      EnumSet.of(
          FanotifyEvent.CREATE,
          FanotifyEvent.DELETE,
          FanotifyEvent.MODIFY,
          FanotifyEvent.ON_DIRECTORY);
  private static final int HANDLE_AT = 24 + 12;

  private final FileCalls calls = LinuxFileCalls.create();
  private final Arena arena = Arena.ofShared();
  private final List<Integer> open = new ArrayList<>();
  @TempDir private Path directory;

  @AfterEach
  void close() throws IOException {
    for (int fd : open) {
      calls.close(fd);
    }
    arena.close();
  }

  private int open(Path path, OpenFlag... flags) throws IOException {
    int fd =
        calls.open(
            NameCalls.AT_FDCWD,
            PosixPath.of(path),
            flags.length == 0 ? Set.of() : EnumSet.of(flags[0], flags),
            0);
    open.add(fd);
    return fd;
  }

  private int markedGroup() throws IOException {
    assumeTrue(
        Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0),
        "only root may mark a file system");
    int group = calls.fanotifyInit();
    open.add(group);
    try {
      calls.fanotifyMarkFileSystem(group, open(directory), CHANGES);
    } catch (ErrnoException e) {
      assumeTrue(
          e.errno() != Errno.EPERM && e.errno() != Errno.EOPNOTSUPP && e.errno() != Errno.ENODEV,
          "this file system cannot be marked here: " + e.getMessage());
      throw e;
    }
    return group;
  }

  /** Mask and name of events of that directory. */
  private List<String> events(int group, FileHandle of) throws IOException {
    MemorySegment buffer = arena.allocate(64 * 1024, 8);
    List<String> events = new ArrayList<>();
    for (int read = calls.fanotifyRead(group, buffer);
        read > 0;
        read = calls.fanotifyRead(group, buffer)) {
      for (int at = 0; at < read; at += buffer.get(ValueLayout.JAVA_INT, at)) {
        int bytes = buffer.get(ValueLayout.JAVA_INT_UNALIGNED, at + HANDLE_AT);
        FileHandle handle =
            new FileHandle(
                buffer.get(ValueLayout.JAVA_INT_UNALIGNED, at + HANDLE_AT + 4),
                buffer.asSlice(at + HANDLE_AT + 8, bytes).toArray(ValueLayout.JAVA_BYTE));
        if (handle.equals(of)) {
          events.add(
              Long.toHexString(buffer.get(ValueLayout.JAVA_LONG_UNALIGNED, at + 8))
                  + " "
                  + buffer.getString(at + HANDLE_AT + 8 + bytes));
        }
      }
    }
    return events;
  }

  @Test
  void eventsNameTheDirectoryByItsHandle() throws IOException {
    int group = markedGroup();
    FileHandle handle = calls.fileHandle(open(directory));
    assertEquals(0, events(group, handle).size());
    Path file = directory.resolve("file");
    Files.writeString(file, "x");
    // What happened to one name and has not been read is one event.
    assertEquals(List.of("102 file"), events(group, handle));
    Files.createDirectory(directory.resolve("d"));
    Files.delete(file);
    assertEquals(List.of("40000100 d", "200 file"), events(group, handle));
  }

  @Test
  void handleIsTheSameForEveryNameAndDescriptor() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    FileHandle handle;
    try {
      handle = calls.fileHandle(open(file));
    } catch (ErrnoException e) {
      assumeTrue(e.errno() != Errno.EOPNOTSUPP, "this file system has no handles");
      throw e;
    }
    Files.move(file, directory.resolve("other"));
    FileHandle again = calls.fileHandle(open(directory.resolve("other"), OpenFlag.PATH));
    assertEquals(handle, again);
    assertEquals(handle.hashCode(), again.hashCode());
    assertTrue(handle.bytes().length > 0);
    assertNotEquals(handle, calls.fileHandle(open(directory)));
    assertEquals(handle, new FileHandle(handle.type(), handle.bytes()));
    assertNotEquals(handle, new FileHandle(handle.type() + 1, handle.bytes()));
  }

  @Test
  void everyRefusalSaysItsErrno() throws IOException {
    Expect.errno(Errno.EBADF, () -> calls.fileHandle(-1));
    int group = markedGroup();
    int here = open(directory);
    Expect.errno(
        Errno.EINVAL, () -> calls.fanotifyMarkFileSystem(group, here, Set.<FanotifyEvent>of()));
    Expect.errno(Errno.EBADF, () -> calls.fanotifyMarkFileSystem(group, -1, CHANGES));
    Expect.errno(Errno.EBADF, () -> calls.fanotifyMarkFileSystem(-1, here, CHANGES));
    int proc = open(Path.of("/proc/self"));
    ErrnoException refused =
        Expect.errno(Errno.EOPNOTSUPP, () -> calls.fanotifyMarkFileSystem(group, proc, CHANGES));
    assertEquals(
        "fanotify_mark the file system of fd " + proc + ": EOPNOTSUPP (Operation not supported)",
        refused.getMessage());
    Expect.errno(Errno.EBADF, () -> calls.fanotifyRead(-1, arena.allocate(1024, 8)));
    events(group, calls.fileHandle(here));
    Files.createFile(directory.resolve("n".repeat(255)));
    MemorySegment small = arena.allocate(24, 8);
    Expect.errno(Errno.EINVAL, () -> calls.fanotifyRead(group, small));
  }
}
