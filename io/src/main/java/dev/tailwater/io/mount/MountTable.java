package dev.tailwater.io.mount;

import dev.tailwater.posix.PosixPath;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The text of /proc/self/mountinfo: mounts in the order in which they were made. Lines are parsed
 * only when they are needed, since a container host has thousands.
 */
record MountTable(List<String> lines) {
  static MountTable of(String text) {
    return new MountTable(lines(text));
  }

  /** Not {@link String#lines}: a carriage return is a byte of a name like any other. */
  static List<String> lines(String text) {
    return Arrays.stream(text.split("\n", -1)).filter(line -> !line.isEmpty()).toList();
  }

  /** The mount of that id. */
  Optional<MountEntry> byId(long id) {
    String start = id + " ";
    return lines.stream().filter(line -> line.startsWith(start)).map(MountEntry::parse).findFirst();
  }

  /**
   * The mount that a path leads to, as far as names tell: the longest mount point above it, the
   * last one where several are mounted on each other. Mounts of the file's own device go first,
   * since a mount over a parent directory hides longer ones; on btrfs no mount has the device of a
   * subvolume's files.
   */
  Optional<MountEntry> byPath(PosixPath path, long device) {
    List<MountEntry> above =
        lines.stream()
            .map(MountEntry::parse)
            .filter(entry -> path.startsWith(entry.mountPoint()))
            .toList();
    return longest(above.stream().filter(entry -> entry.device() == device).toList())
        .or(() -> longest(above));
  }

  private static Optional<MountEntry> longest(List<MountEntry> entries) {
    return entries.stream()
        .reduce(
            (first, later) ->
                later.mountPoint().lengthBytes() >= first.mountPoint().lengthBytes()
                    ? later
                    : first);
  }
}
