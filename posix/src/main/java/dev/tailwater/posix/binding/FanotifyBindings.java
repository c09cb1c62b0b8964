package dev.tailwater.posix.binding;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tailwater.posix.FanotifyCalls;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Bindings of the C functions of {@link FanotifyCalls}, with one typed method for each. Results are
 * as in C: -1, and errno in the segment of the first argument. Nothing is retried or translated
 * here. The functions are linked at the first use of this class.
 */
public final class FanotifyBindings {
  private static final Binder BINDER = new Binder();

  private static final MethodHandle FANOTIFY_INIT =
      BINDER.ordinary("fanotify_init", JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle FANOTIFY_MARK =
      BINDER.ordinary("fanotify_mark", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, ADDRESS);
  private static final MethodHandle NAME_TO_HANDLE_AT =
      BINDER.ordinary("name_to_handle_at", JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_INT);

  private FanotifyBindings() {}

  public static int fanotifyInit(MemorySegment errno, int flags, int eventFlags) {
    try {
      return (int) FANOTIFY_INIT.invokeExact(errno, flags, eventFlags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Marks the file behind {@code fd}: passes NULL as the path. */
  public static int fanotifyMark(
      MemorySegment errno, int fanotifyFd, int flags, long mask, int fd) {
    try {
      return (int)
          FANOTIFY_MARK.invokeExact(errno, fanotifyFd, flags, mask, fd, MemorySegment.NULL);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  public static int nameToHandleAt(
      MemorySegment errno,
      int fd,
      MemorySegment path,
      MemorySegment handle,
      MemorySegment mountId,
      int flags) {
    try {
      return (int) NAME_TO_HANDLE_AT.invokeExact(errno, fd, path, handle, mountId, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
