package dev.tailwater.lab.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The page faults of the calling thread: proc_pid_stat(5).
 *
 * @param minor those that were answered from memory
 * @param major those that waited for a disk
 */
public record PageFaults(long minor, long major) {
  private static final Path STAT = Path.of("/proc/thread-self/stat");

  /**
   * The index of the field after the name of the program, which may contain spaces and parentheses.
   */
  private static final int MINOR = 7;

  private static final int MAJOR = 9;

  /** Returns the page faults so far of the calling thread, which must be a platform thread. */
  public static PageFaults ofThisThread() throws IOException {
    return parse(Files.readString(STAT));
  }

  static PageFaults parse(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return new PageFaults(Long.parseLong(fields[MINOR]), Long.parseLong(fields[MAJOR]));
  }

  /** Returns the sum of both kinds. */
  public long all() {
    return minor + major;
  }
}
