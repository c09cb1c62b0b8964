package dev.tailwater.io.mount;

import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.List;

/**
 * The text of /proc/self/mountstats, of which NFS fills a section for each mount:
 *
 * <pre>
 * device server:/export mounted on /mnt with fstype nfs4 statvers=1.1
 *     opts:   rw,sync,vers=4.2,rsize=1048576,wsize=1048576,...
 *     age:    77
 * </pre>
 *
 * <p>The format is that of nfs_show_stats in fs/nfs/super.c.
 */
final class MountStatistics {
  private static final String DEVICE = "device ";
  private static final String MOUNTED_ON = " mounted on ";
  private static final String OF_TYPE = " with fstype ";
  private static final String OPTIONS = "opts:";

  private MountStatistics() {}

  /** The options of the last mount there; none when the text does not have it. */
  static MountOptions options(String text, PosixPath mountPoint) {
    boolean inside = false;
    List<String> found = new ArrayList<>();
    for (String line : MountTable.lines(text)) {
      String words = line.strip();
      if (line.startsWith(DEVICE)) {
        inside = isMountedOn(line, mountPoint);
      } else if (inside && words.startsWith(OPTIONS)) {
        found.add(words.substring(OPTIONS.length()).strip());
      }
    }
    return MountOptions.parse(found.isEmpty() ? "" : found.getLast());
  }

  private static boolean isMountedOn(String line, PosixPath mountPoint) {
    int from = line.indexOf(MOUNTED_ON);
    int to = line.lastIndexOf(OF_TYPE);
    return from > 0
        && to > from
        && PosixPath.of(MountEntry.unescape(line.substring(from + MOUNTED_ON.length(), to)))
            .equals(mountPoint);
  }
}
