package dev.tailwater.posix.testkit;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Knowledge about the single methods of {@link FileCalls}. */
final class Methods {
  private static final Set<String> OPENING =
      Set.of("open", "openBeneath", "inotifyInit", "eventFd", "fanotifyInit", "ioUringSetup");

  private Methods() {}

  /**
   * Rejects the name of a method that does not exist: a test with a plan for it could never fail.
   */
  static void requireKnown(String method) {
    Set<String> known =
        Arrays.stream(FileCalls.class.getMethods())
            .map(Method::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    if (!known.contains(method)) {
      throw new IllegalArgumentException("no file call named " + method + "; there are " + known);
    }
  }

  /** Returns whether the method returns a new descriptor. */
  static boolean opens(String method) {
    return OPENING.contains(method);
  }

  /**
   * Returns arguments that limit a transfer to this many bytes; for other methods, unchanged ones.
   */
  static Object[] shortened(String method, Object[] arguments, int maxBytes) {
    Object[] changed = arguments.clone();
    switch (method) {
      case "pread", "preadv2", "pwrite", "pwritev2" -> {
        MemorySegment memory = (MemorySegment) arguments[1];
        changed[1] = memory.asSlice(0, Math.min(memory.byteSize(), maxBytes));
      }
      case "preadCritical" -> changed[3] = Math.min((int) arguments[3], maxBytes);
      case "copyFileRange" -> changed[4] = Math.min((long) arguments[4], maxBytes);
      default -> {}
    }
    return changed;
  }

  /** Returns arguments that enter a ring without waiting; for other methods, unchanged ones. */
  static Object[] withoutWaiting(String method, Object[] arguments) {
    Object[] changed = arguments.clone();
    if (method.equals("ioUringEnter")) {
      changed[2] = 0;
    }
    return changed;
  }

  /** Returns the exception that the real call would throw. */
  static ErrnoException failure(String method, List<Object> arguments, Errno errno) {
    return ErrnoException.of(operation(method), subject(method, arguments), errno);
  }

  private static String operation(String method) {
    return switch (method) {
      case "openBeneath" -> "openat2";
      case "removeDirectory" -> "rmdir";
      case "makeDirectory" -> "mkdir";
      case "readLink" -> "readlink";
      case "preadCritical" -> "pread";
      case "changeMode", "changeReferencedMode" -> "chmod";
      case "changeOwner" -> "chown";
      case "attributeNames" -> "flistxattr";
      case "attribute" -> "fgetxattr";
      case "setAttribute" -> "fsetxattr";
      case "removeAttribute" -> "fremovexattr";
      case "symbolicLink" -> "symlink";
      case "linkOpenFile" -> "link";
      case "syncFileSystem" -> "syncfs";
      case "changeModificationTime" -> "utimens";
      case "map" -> "mmap";
      case "mayWrite" -> "faccessat";
      case "openFlags" -> "fcntl";
      case "fileSystemUuid" -> "fsuuid";
      case "directAlignment" -> "statx";
      case "seekData", "seekHole" -> "lseek";
      case "copyFileRange" -> "copy_file_range";
      case "tryLock" -> "flock";
      case "inotifyInit" -> "inotify_init";
      case "inotifyAddWatch" -> "inotify_add_watch";
      case "inotifyRemoveWatch" -> "inotify_rm_watch";
      case "inotifyRead" -> "inotify_read";
      case "fanotifyInit" -> "fanotify_init";
      case "fanotifyMarkFileSystem" -> "fanotify_mark";
      case "fanotifyRead" -> "fanotify_read";
      case "fileHandle" -> "name_to_handle_at";
      case "eventFd" -> "eventfd";
      case "signalEventFd" -> "eventfd_write";
      case "clearEventFd" -> "eventfd_read";
      case "pollReadable" -> "poll";
      case "ioUringSetup" -> "io_uring_setup";
      case "ioUringEnter" -> "io_uring_enter";
      case "ioUringLimitWorkers" -> "io_uring_register";
      case "mapRing" -> "mmap";
      case "unmapRing" -> "munmap";
      default -> method;
    };
  }

  private static String subject(String method, List<Object> arguments) {
    return switch (method) {
      case "rename", "link" ->
          path(arguments.get(0), arguments.get(1))
              + " -> "
              + path(arguments.get(2), arguments.get(3));
      case "close" -> "fd " + arguments.get(0); // A path is for whoever reports it.
      case "linkOpenFile" ->
          "fd " + arguments.get(0) + " -> " + path(arguments.get(1), arguments.get(2));
      case "symbolicLink" -> path(arguments.get(1), arguments.get(2));
      case "madvise", "mincore" ->
          ((MemorySegment) arguments.getFirst()).byteSize() + " bytes of a mapping";
      case "copyFileRange" -> "fd " + arguments.get(0) + " -> fd " + arguments.get(2);
      case "inotifyAddWatch" -> arguments.get(1).toString();
      case "inotifyRemoveWatch" -> "fd " + arguments.get(0) + " watch " + arguments.get(1);
      case "inotifyInit" -> "a new instance";
      case "fanotifyInit" -> "a new group";
      case "fanotifyMarkFileSystem" -> "the file system of fd " + arguments.get(1);
      case "eventFd" -> "a new counter";
      case "ioUringSetup" -> "a new ring of " + arguments.get(0) + " entries";
      case "unmapRing" -> "ring memory";
      case "attribute", "setAttribute", "removeAttribute" ->
          "fd " + arguments.get(0) + " " + arguments.get(1);
      case "pollReadable" -> ((int[]) arguments.get(0)).length + " descriptors";
      default ->
          arguments.size() > 1 && arguments.get(1) instanceof PosixPath path
              ? path(arguments.get(0), path)
              : "fd " + arguments.get(0);
    };
  }

  private static String path(Object dirFd, Object pathArgument) {
    PosixPath path = (PosixPath) pathArgument;
    if ((int) dirFd == NameCalls.AT_FDCWD || path.isAbsolute()) {
      return path.toString();
    }
    return path.isEmpty() ? "fd " + dirFd : "fd " + dirFd + "/" + path;
  }
}
