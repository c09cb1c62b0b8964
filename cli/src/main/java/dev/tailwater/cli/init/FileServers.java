package dev.tailwater.cli.init;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileSystemStatus;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** The search for mounted file servers in proc_pid_mountinfo(5). */
final class FileServers {
  private static final int MAX_SERVERS = 4;
  private static final int MOUNT_POINT = 4;
  private static final int OPTIONS = 5;

  private static final Set<String> TYPES =
      Set.of("nfs", "nfs4", "cifs", "smb3", "ceph", "lustre", "beegfs", "gpfs", "glusterfs", "afs");

  private FileServers() {}

  /**
   * Returns the servers that may be written to.
   *
   * @param mountInfo {@code /proc/self/mountinfo}
   */
  static List<FileServer> find(FileCalls calls, Path mountInfo) {
    List<FileServer> servers = new ArrayList<>();
    for (String line : lines(mountInfo)) {
      int separator = line.indexOf(" - ");
      String[] fields = line.split(" ", -1);
      if (separator < 0 || fields.length <= OPTIONS || servers.size() == MAX_SERVERS) {
        continue;
      }
      String type = line.substring(separator + 3).split(" ", 2)[0];
      boolean readOnly = Arrays.asList(fields[OPTIONS].split(",", -1)).contains("ro");
      boolean escaped = fields[MOUNT_POINT].indexOf('\\') >= 0; // A space or the like in its name.
      if (TYPES.contains(type) && !readOnly && !escaped) {
        addAnswering(calls, PosixPath.of(fields[MOUNT_POINT]), type, servers);
      }
    }
    return servers;
  }

  private static List<String> lines(Path mountInfo) {
    try {
      return new String(Files.readAllBytes(mountInfo), StandardCharsets.ISO_8859_1)
          .lines()
          .toList();
    } catch (IOException e) {
      return List.of(); // Without /proc no mount is known, and none is proposed.
    }
  }

  private static void addAnswering(
      FileCalls calls, PosixPath mountPoint, String type, List<FileServer> servers) {
    try {
      int fd = calls.open(FileCalls.AT_FDCWD, mountPoint, Set.of(OpenFlag.PATH), 0);
      try {
        FileSystemStatus status = calls.statfs(fd);
        servers.add(new FileServer(mountPoint, type, status.availableBytes()));
      } finally {
        calls.close(fd);
      }
    } catch (ErrnoException e) {
      // A server that does not answer is no place for an archive now.
      return;
    }
  }
}
