package dev.tailwater.io.mount;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The places where something is mounted, and a descriptor by which poll(2) tells that they have
 * changed.
 *
 * @see <a href="https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html">
 *     proc_pid_mountinfo(5)</a>
 */
public final class MountPoints implements AutoCloseable {
  private static final PosixPath TABLE = PosixPath.of("/proc/self/mountinfo");
  private static final int READ_BYTES = 64 * 1024;

  /** Some 20 000 mounts. */
  private static final int MAX_BYTES = 4 << 20;

  /** Of a number that surely fits. */
  private static final int MAX_DIGITS = 18;

  private static final int FIELDS_BEFORE_PATH = 4;

  private final FileCalls calls;
  private final int fd;

  /** A mount; its number is another one's after it is gone. */
  public record MountPoint(long id, PosixPath path) {}

  private MountPoints(FileCalls calls, int fd) {
    this.calls = calls;
    this.fd = fd;
  }

  /** Opens the mount table; empty where that is impossible, as without /proc. */
  public static Optional<MountPoints> open(FileCalls calls) {
    try {
      return Optional.of(
          new MountPoints(calls, calls.open(FileCalls.AT_FDCWD, TABLE, Set.of(), 0)));
    } catch (ErrnoException e) {
      return Optional.empty();
    }
  }

  /** Returns a descriptor to which something exceptional happens when a mount comes or goes. */
  public int fd() {
    return fd;
  }

  /** Returns all mounts; empty if they cannot be read, or are too many. */
  public Optional<Set<MountPoint>> read() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment target = arena.allocate(READ_BYTES);
      int count = calls.pread(fd, target, 0);
      while (count > 0 && all.size() <= MAX_BYTES) {
        all.writeBytes(target.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE));
        count = calls.pread(fd, target, all.size());
      }
    } catch (ErrnoException e) {
      return Optional.empty();
    }
    return all.size() <= MAX_BYTES
        ? Optional.of(parse(all.toString(StandardCharsets.ISO_8859_1)))
        : Optional.empty();
  }

  /**
   * Returns the mounts of a table, without lines that are none.
   *
   * @param text bytes as ISO-8859-1, so that a path keeps each of its bytes
   */
  static Set<MountPoint> parse(String text) {
    Set<MountPoint> mounts = new HashSet<>();
    int from = 0;
    while (from < text.length()) {
      int newline = text.indexOf('\n', from);
      int end = newline < 0 ? text.length() : newline;
      parseLine(text, from, end).ifPresent(mounts::add);
      from = end + 1;
    }
    return mounts;
  }

  private static Optional<MountPoint> parseLine(String text, int from, int end) {
    int at = from;
    for (int field = 0; field < FIELDS_BEFORE_PATH; field++) {
      at = text.indexOf(' ', at, end) + 1;
      if (at == 0) {
        return Optional.empty();
      }
    }
    int pathEnd = text.indexOf(' ', at, end);
    long id = number(text, from, text.indexOf(' ', from, end));
    if (pathEnd < 0 || id < 0) {
      return Optional.empty();
    }
    byte[] path = MountEntry.unescape(text.substring(at, pathEnd));
    return isPath(path) ? Optional.of(new MountPoint(id, PosixPath.of(path))) : Optional.empty();
  }

  private static boolean isPath(byte[] path) {
    for (byte b : path) {
      if (b == 0) {
        return false;
      }
    }
    return path.length > 0 && path[0] == '/';
  }

  /** Returns a number; negative if it is none. */
  private static long number(String text, int from, int end) {
    if (end == from || end - from > MAX_DIGITS) {
      return -1;
    }
    long number = 0;
    for (int at = from; at < end; at++) {
      char digit = text.charAt(at);
      if (digit < '0' || digit > '9') {
        return -1;
      }
      number = number * 10 + (digit - '0');
    }
    return number;
  }

  @Override
  public void close() throws ErrnoException {
    calls.close(fd);
  }
}
