package dev.tailwater.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What this process has open: /proc/self/fd, proc_pid_fd(5). */
public final class OpenFiles {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final String INOTIFY = "anon_inode:inotify";

  private OpenFiles() {}

  /** Files below a directory, and watches; the JVM opens others as it likes. */
  public static List<String> below(Path directory) throws IOException {
    String prefix = directory.toRealPath().toString();
    List<String> open = new ArrayList<>();
    try (Stream<Path> all = Files.list(DESCRIPTORS)) {
      for (Path descriptor : all.toList()) {
        if (Files.isSymbolicLink(descriptor)) { // the one of this listing is gone by now
          String target = Files.readSymbolicLink(descriptor).toString();
          if (target.startsWith(prefix) || target.equals(INOTIFY)) {
            open.add(target);
          }
        }
      }
    }
    return open.stream().sorted().toList();
  }
}
