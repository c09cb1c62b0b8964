package dev.tailwater.store.datafile.read;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The major page faults of this process, which had to wait for a disk (majflt in proc_pid_stat(5)).
 * Not thread-safe.
 */
final class MajorFaults {
  private static final Path STAT = Path.of("/proc/self/stat");

  /** Index of the field after the program's name, which may contain spaces. */
  private static final int FIELD = 9;

  private long last;

  /** Returns whether there were any since the last call; true where the kernel does not tell. */
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
