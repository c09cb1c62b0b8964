package dev.tailwater.destination.hdfs;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * The process that owns a temporary file, encoded in the file's name.
 *
 * @param host the host name, for people
 * @param space of process ids: a checksum of the boot and the PID namespace (pid_namespaces(7)), so
 *     that a process of the same id on another machine, in another container or before a reboot is
 *     not mistaken for this one
 * @param pid within that space
 * @param startTicks when it started, since the boot (proc_pid_stat(5), field 22), since ids are
 *     used again
 */
record Owner(String host, int space, long pid, long startTicks) {
  private static final Pattern NAME =
      Pattern.compile("([A-Za-z0-9-]{1,63})\\.([0-9a-f]{8})-([0-9]{1,18})-([0-9]{1,18})\\.");
  private static final int START_FIELD_AFTER_NAME = 19;

  /** Returns the owner of this process's files. */
  static Owner self() throws IOException {
    long pid = ProcessHandle.current().pid();
    return new Owner(hostName(), thisSpace(), pid, startTicks(pid).orElse(0L));
  }

  /** Returns the owner of a file; empty for a name that {@link #namePrefix} does not begin. */
  static Optional<Owner> of(String fileName) {
    Matcher name = NAME.matcher(fileName);
    return name.lookingAt()
        ? Optional.of(
            new Owner(
                name.group(1),
                Integer.parseUnsignedInt(name.group(2), 16),
                Long.parseLong(name.group(3)),
                Long.parseLong(name.group(4))))
        : Optional.empty();
  }

  /** Returns the beginning of the names of this owner's files. */
  String namePrefix() {
    return String.format(Locale.ROOT, "%s.%08x-%d-%d.", host, space, pid, startTicks);
  }

  /**
   * Returns whether the process has certainly ended; always false for a process in another space.
   */
  boolean isOver() throws IOException {
    if (space != thisSpace()) {
      return false;
    }
    Optional<Long> found = startTicks(pid);
    return found.isPresent()
        ? found.get() != startTicks
        : !hidesProcesses(Files.readAllLines(Path.of("/proc/self/mounts"), ISO_8859_1));
  }

  /**
   * Returns whether processes of other users look as if they did not exist: {@code hidepid} of
   * proc(5), which {@code ProtectProc=} of systemd.exec(5) sets for a service.
   *
   * @param mounts lines as in /proc/self/mounts
   */
  static boolean hidesProcesses(List<String> mounts) {
    return mounts.stream()
        .map(line -> line.split(" ", -1))
        .filter(fields -> fields.length > 3 && fields[2].equals("proc"))
        .flatMap(fields -> Arrays.stream(fields[3].split(",", -1)))
        .anyMatch(option -> option.startsWith("hidepid=") && !option.matches("hidepid=(0|off)"));
  }

  private static String hostName() throws IOException {
    String name =
        Files.readString(Path.of("/proc/sys/kernel/hostname"))
            .strip()
            .replaceFirst("\\..*", "")
            .replaceAll("[^A-Za-z0-9-]", "-");
    return name.isEmpty() ? "host" : name.substring(0, Math.min(63, name.length()));
  }

  private static int thisSpace() throws IOException {
    String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id"));
    Path namespace = Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
    CRC32C checksum = new CRC32C();
    checksum.update((boot + namespace).getBytes(StandardCharsets.UTF_8));
    return (int) checksum.getValue();
  }

  /** Returns the start of a process; empty if there is no such process. */
  private static Optional<Long> startTicks(long pid) throws IOException {
    String line;
    try {
      line = Files.readString(Path.of("/proc/" + pid + "/stat"), ISO_8859_1);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      if (Files.exists(Path.of("/proc/" + pid))) {
        throw e;
      }
      return Optional.empty(); // The process ended during the read: ESRCH.
    }
    // The name of the program is in parentheses and may contain any character.
    String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
    if (fields[0].equals("Z") || fields[0].equals("X")) {
      return Optional.empty(); // Ended, but its parent has not waited for it yet.
    }
    return Optional.of(Long.parseLong(fields[START_FIELD_AFTER_NAME]));
  }
}
