package dev.tailwater.cli.host;

import dev.tailwater.cli.outcome.UserException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Directories that only the user of this process and root may change: whoever can write to an
 * agent's state decides what it takes for delivered.
 */
public final class PrivateDirectory {
  private static final int GROUP_WRITE = 0020;
  private static final int ALL_WRITE = 0002;
  private static final int STICKY = 01000;
  private static final Path OVERFLOW_USER = Path.of("/proc/sys/fs/overflowuid");

  private final int user;
  private final int group;
  private final int unmappedUser;
  private final Set<String> mountPoints;

  private PrivateDirectory() throws IOException {
    this.user = effectiveId("Uid:");
    this.group = effectiveId("Gid:");
    this.unmappedUser = Integer.parseInt(Files.readString(OVERFLOW_USER).strip());
    this.mountPoints = mountPoints();
  }

  /**
   * Creates the directory for its user alone if it is missing; otherwise checks its owner and mode,
   * and those of the directories above it.
   *
   * @throws UserException somebody else may write there
   */
  public static void makeOrRequire(Path directory) throws IOException {
    Files.createDirectories(
        directory,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Path real = directory.toRealPath();
    PrivateDirectory rules = new PrivateDirectory();
    rules.requireOwn(real);
    for (Path above = real.getParent(); above != null; above = above.getParent()) {
      rules.requireSafeAbove(real, above);
    }
  }

  private void requireOwn(Path directory) throws IOException {
    int owner = attribute(directory, "uid");
    if (owner != user) {
      throw UserException.usage(
          "the state directory " + directory + " belongs to user " + owner + ", not to " + user,
          "chown "
              + user
              + " "
              + directory
              + " if nobody else has written to it, or use another"
              + " --state");
    }
    if ((attribute(directory, "mode") & (GROUP_WRITE | ALL_WRITE)) != 0) {
      throw UserException.usage(
          "others may write to the state directory " + directory,
          "chmod go-w "
              + directory
              + " if nobody else has written to it, or name a directory"
              + " below it, which is made for this user alone");
    }
  }

  /** Whoever may rename the directory can put another in its place. */
  private void requireSafeAbove(Path directory, Path above) throws IOException {
    int owner = attribute(above, "uid");
    int mode = attribute(above, "mode");
    // An owner from outside of this container's users cannot be told.
    if (owner != user && owner != 0 && owner != unmappedUser) {
      throw UserException.usage(
          "user " + owner + " owns " + above + ", and could replace the state directory in it",
          "use a --state below directories of root or of this user, or chown root " + above);
    }
    // What is mounted, such as a volume of a pod, is for those to whom it was given.
    boolean guarded = (mode & STICKY) != 0 || mountPoints.contains(above.toString());
    boolean byAll = (mode & ALL_WRITE) != 0;
    // Where each user has a group of his own, that group is nobody else.
    boolean byGroup = (mode & GROUP_WRITE) != 0 && !isHarmless(attribute(above, "gid"));
    if (!guarded && (byAll || byGroup)) {
      throw UserException.usage(
          "others may write to " + above + ", and could replace the state directory " + directory,
          "chmod go-w " + above + ", or use another --state");
    }
  }

  private boolean isHarmless(int ofGroup) {
    return ofGroup == group || ofGroup == 0;
  }

  private static int attribute(Path path, String name) throws IOException {
    return (Integer) Files.getAttribute(path, "unix:" + name);
  }

  private static int effectiveId(String field) throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith(field))
        .map(line -> line.substring(field.length()).strip().split("\\s+", -1)[1])
        .mapToInt(Integer::parseInt)
        .findFirst()
        .orElseThrow(() -> new IOException("/proc/self/status has no " + field));
  }

  private static Set<String> mountPoints() throws IOException {
    // Decoded leniently, since the names of other mounts need not be UTF-8.
    byte[] mounts = Files.readAllBytes(Path.of("/proc/self/mountinfo"));
    return new String(mounts, StandardCharsets.UTF_8)
        .lines()
        .map(line -> line.split(" ", -1)[4])
        .collect(Collectors.toSet());
  }
}
