package dev.tailwater.io.mount;

import dev.tailwater.posix.PosixPath;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * One line of /proc/self/mountinfo, such as
 *
 * <pre>36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue</pre>
 *
 * @param id as in {@link dev.tailwater.posix.value.FileStatus#mountId()}
 * @param device as in {@link dev.tailwater.posix.value.FileStatus#device()}; on btrfs that of the
 *     whole file system, which is not the one of its subvolumes
 * @param options of the mount, then of the superblock
 * @see <a href="https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html">
 *     proc_pid_mountinfo(5)</a>
 */
record MountEntry(
    long id,
    long device,
    PosixPath root,
    PosixPath mountPoint,
    String type,
    String source,
    MountOptions options) {
  private static final int FIRST_OPTIONAL_FIELD = 6;

  boolean isNfs() {
    return type.equals("nfs") || type.equals("nfs4");
  }

  /**
   * @param line bytes as ISO-8859-1, so that a path keeps each of its bytes
   * @throws IllegalArgumentException when it is no such line
   */
  static MountEntry parse(String line) {
    String[] fields = line.split(" ", -1);
    int dash = FIRST_OPTIONAL_FIELD;
    while (dash < fields.length && !fields[dash].equals("-")) {
      dash++;
    }
    if (dash + 3 >= fields.length) {
      throw new IllegalArgumentException("no line of /proc/self/mountinfo: " + line);
    }
    return new MountEntry(
        Long.parseLong(fields[0]),
        device(fields[2]),
        PosixPath.of(unescape(fields[3])),
        PosixPath.of(unescape(fields[4])),
        text(fields[dash + 1]),
        text(fields[dash + 2]),
        MountOptions.parse(text(fields[5])).and(MountOptions.parse(text(fields[dash + 3]))));
  }

  private static long device(String majorAndMinor) {
    int colon = majorAndMinor.indexOf(':');
    if (colon < 0) {
      throw new IllegalArgumentException("no device number: " + majorAndMinor);
    }
    long major = Long.parseLong(majorAndMinor.substring(0, colon));
    return major << 32 | Long.parseLong(majorAndMinor.substring(colon + 1));
  }

  private static String text(String field) {
    return new String(unescape(field), StandardCharsets.UTF_8);
  }

  /** Blank, tab, newline and backslash are printed as a backslash and three octal digits. */
  static byte[] unescape(String field) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(field.length());
    int at = 0;
    while (at < field.length()) {
      char next = field.charAt(at);
      if (next == '\\' && isOctal(field, at + 1)) {
        bytes.write(Integer.parseInt(field.substring(at + 1, at + 4), 8));
        at += 4;
      } else {
        bytes.write(next);
        at++;
      }
    }
    return bytes.toByteArray();
  }

  private static boolean isOctal(String field, int from) {
    if (from + 3 > field.length() || field.charAt(from) > '3') {
      return false;
    }
    for (int at = from; at < from + 3; at++) {
      if (field.charAt(at) < '0' || field.charAt(at) > '7') {
        return false;
      }
    }
    return true;
  }
}
