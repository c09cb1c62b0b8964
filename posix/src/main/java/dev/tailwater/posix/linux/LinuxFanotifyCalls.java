package dev.tailwater.posix.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FanotifyCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.binding.FanotifyBindings;
import dev.tailwater.posix.binding.Scratch;
import dev.tailwater.posix.binding.ScratchPool;
import dev.tailwater.posix.binding.WatchBindings;
import dev.tailwater.posix.value.FanotifyEvent;
import dev.tailwater.posix.value.FileHandle;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** The implementation of {@link FanotifyCalls} for Linux. */
final class LinuxFanotifyCalls implements FanotifyCalls {
  private static final int CLASS_NOTIFICATION = 0;
  private static final int CLOSE_ON_EXEC = 0x1;
  private static final int NON_BLOCK = 0x2;
  private static final int REPORT_DIRECTORY_AND_NAME = 0x400 | 0x800;

  private static final int MARK_ADD = 0x1;
  private static final int MARK_FILE_SYSTEM = 0x100;

  private static final int AT_EMPTY_PATH = 0x1000;

  /** struct file_handle: handle_bytes u32, handle_type s32, then the bytes. */
  private static final int HANDLE_HEADER_BYTES = 8;

  private static final int MAX_HANDLE_BYTES = 128;
  private static final int MOUNT_ID_OFFSET = HANDLE_HEADER_BYTES + MAX_HANDLE_BYTES;

  private final ScratchPool scratches;

  LinuxFanotifyCalls(ScratchPool scratches) {
    this.scratches = scratches;
  }

  @Override
  public int fanotifyInit() throws ErrnoException {
    int flags = CLASS_NOTIFICATION | CLOSE_ON_EXEC | NON_BLOCK | REPORT_DIRECTORY_AND_NAME;
    try (Scratch scratch = scratches.acquire()) {
      int fd = FanotifyBindings.fanotifyInit(scratch.errno(), flags, 0);
      if (fd < 0) {
        throw scratch.failure("fanotify_init", "a new group");
      }
      return fd;
    }
  }

  @Override
  public void fanotifyMarkFileSystem(int fanotifyFd, int fd, Set<FanotifyEvent> events)
      throws ErrnoException {
    long mask = 0;
    for (FanotifyEvent event : events) {
      mask |= event.bit();
    }
    try (Scratch scratch = scratches.acquire()) {
      int result;
      do {
        result =
            FanotifyBindings.fanotifyMark(
                scratch.errno(), fanotifyFd, MARK_ADD | MARK_FILE_SYSTEM, mask, fd);
      } while (result < 0 && scratch.interrupted());
      if (result < 0) {
        throw scratch.failure("fanotify_mark", "the file system of fd " + fd);
      }
    }
  }

  @Override
  public int fanotifyRead(int fanotifyFd, MemorySegment target) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      long bytes;
      do {
        bytes = WatchBindings.read(scratch.errno(), fanotifyFd, target, target.byteSize());
      } while (bytes < 0 && scratch.interrupted());
      if (bytes < 0 && !scratch.failedWith(Errno.EAGAIN)) {
        throw scratch.failure("fanotify_read", fanotifyFd);
      }
      return (int) Math.max(bytes, 0);
    }
  }

  @Override
  public FileHandle fileHandle(int fd) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      MemorySegment handle = scratch.struct();
      handle.set(JAVA_INT, 0, MAX_HANDLE_BYTES);
      int result;
      do {
        result =
            FanotifyBindings.nameToHandleAt(
                scratch.errno(),
                fd,
                scratch.path(PosixPath.EMPTY),
                handle,
                handle.asSlice(MOUNT_ID_OFFSET, Integer.BYTES),
                AT_EMPTY_PATH);
      } while (result < 0 && scratch.interrupted());
      if (result < 0) {
        throw scratch.failure("name_to_handle_at", fd);
      }
      return new FileHandle(
          handle.get(JAVA_INT, 4),
          handle.asSlice(HANDLE_HEADER_BYTES, handle.get(JAVA_INT, 0)).toArray(JAVA_BYTE));
    }
  }
}
