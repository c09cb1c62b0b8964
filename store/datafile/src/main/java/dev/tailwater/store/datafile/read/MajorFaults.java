package dev.tailwater.store.datafile.read;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Page faults of this process that had to wait for a disk, as the kernel counts them (majflt in
 * proc_pid_stat(5)). Not thread-safe.
 */
final class MajorFaults {
  private static final Path STAT = Path.of("/proc/self/stat");

  /** Counted behind the program's name, which may have spaces in it. */
  private static final int FIELD = 9;

  private long last;

  /** Whether there were some since this was last asked; also where nobody can tell. */
  boolean grew() {
    long now;
    try {
      now = parse(new String(Files.readAllBytes(STAT), StandardCharsets.ISO_8859_1));
    } catch (IOException noSuchFile) {
      return true;
    }
    boolean more = now != last;
    last = now;
    return more;
  }

  static long parse(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", FIELD + 2);
    return Long.parseLong(fields[FIELD]);
  }
}
