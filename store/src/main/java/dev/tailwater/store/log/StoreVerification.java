package dev.tailwater.store.log;

import dev.tailwater.posix.PosixPath;
import java.util.List;
import java.util.Optional;

/**
 * What a verification found.
 *
 * @param files every file of the store, in the order in which they are read at open
 */
public record StoreVerification(List<CheckedFile> files) {

  public StoreVerification {
    files = List.copyOf(files);
  }

  /** What a file is to the store. */
  public enum Role {
    SNAPSHOT,
    LOG,
    /** Replaced by the snapshot, and only not deleted yet. Not read. */
    OBSOLETE,
    /** Never completed, and without meaning. Not read. */
    UNFINISHED,
    /** Must be there and is not. */
    MISSING
  }

  /**
   * One file.
   *
   * @param sizeBytes length; 0 when the file is missing
   * @param frames whole frames before the end or the first damage
   * @param operations puts and removals in these frames
   * @param tornBytes length of the torn tail that the next open cuts off
   * @param damage the first damage
   */
  public record CheckedFile(
      PosixPath file,
      Role role,
      long sizeBytes,
      long frames,
      long operations,
      long tornBytes,
      Optional<Damage> damage) {}

  /**
   * A place where a file is not as it was written.
   *
   * @param offsetBytes where the first frame or header begins that cannot be trusted
   */
  public record Damage(long offsetBytes, String why) {}

  /** Whether the store can be opened without losing anything that was acknowledged. */
  public boolean isWhole() {
    return files.stream().allMatch(file -> file.damage().isEmpty());
  }
}
