package dev.tailwater.lab.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How often the calling thread touched a page that was not there: proc_pid_stat(5).
 *
 * @param minor answered from memory
 * @param major that waited for a disk
 */
public record PageFaults(long minor, long major) {
  private static final Path STAT = Path.of("/proc/thread-self/stat");

  /** Fields behind the name of the program, which may have spaces and parentheses itself. */
  private static final int MINOR = 7;

  private static final int MAJOR = 9;

  /** Of the calling thread, a platform thread, until now. */
  public static PageFaults ofThisThread() throws IOException {
    return parse(Files.readString(STAT));
  }

  static PageFaults parse(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return new PageFaults(Long.parseLong(fields[MINOR]), Long.parseLong(fields[MAJOR]));
  }

  /** Both kinds. */
  public long all() {
    return minor + major;
  }
}
