package dev.tailwater.io.mount;

import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The text of /proc/self/mountstats, of which NFS fills a section for each mount:
 *
 * <pre>
 * device server:/export mounted on /mnt with fstype nfs4 statvers=1.1
 *     opts:   rw,sync,vers=4.2,rsize=1048576,wsize=1048576,...
 *     age:    77
 *     ...
 *     per-op statistics
 *             NULL: 1 1 0 44 24 0 0 0 0
 *            WRITE: 800 800 0 104988000 108800 1 1004 1008 0
 * </pre>
 *
 * <p>Behind the name of an operation the first number is that of requests.
 *
 * <p>The format is that of nfs_show_stats in fs/nfs/super.c.
 */
final class MountStatistics {
  private static final String DEVICE = "device ";
  private static final String MOUNTED_ON = " mounted on ";
  private static final String OF_TYPE = " with fstype ";
  private static final String OPTIONS = "opts:";
  private static final String BY_OPERATION = "per-op statistics";

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

  /** Requests by operation of the last mount there; none when the text does not have it. */
  static Map<String, Long> requests(String text, PosixPath mountPoint) {
    Map<String, Long> found = new LinkedHashMap<>();
    boolean inside = false;
    boolean counting = false;
    for (String line : MountTable.lines(text)) {
      String words = line.strip();
      if (line.startsWith(DEVICE)) {
        inside = isMountedOn(line, mountPoint);
        counting = false;
        if (inside) {
          found.clear();
        }
      } else if (inside && words.equals(BY_OPERATION)) {
        counting = true;
      } else if (counting && words.contains(": ")) {
        String[] parts = words.split("[: ]+", -1);
        found.put(parts[0], Long.parseLong(parts[1]));
      }
    }
    return found;
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
