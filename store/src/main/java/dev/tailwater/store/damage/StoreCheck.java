package dev.tailwater.store.damage;

import dev.tailwater.posix.PosixPath;
import java.util.List;
import java.util.Optional;

/**
 * What the check of a store found.
 *
 * @param files every file of the store, in the order in which they are read at open
 * @param keys how many keys are affected
 */
public record StoreCheck(List<CheckedFile> files, Keys keys) {
  public StoreCheck {
    files = List.copyOf(files);
  }

  /** What a file is to the store. */
  public enum Role {
    DATA,
    HINT,
    INDEX,
    SNAPSHOT,
    LOG,
    /** Another has taken its place, and only not deleted it yet. Not read. */
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
   * @param records whole records or operations in it
   * @param tornBytes length of the torn tail that the next open cuts off
   * @param damages in order
   * @param note what is wrong with a file that can be made again, and so is no damage
   */
  public record CheckedFile(
      PosixPath file,
      Role role,
      long sizeBytes,
      long records,
      long tornBytes,
      List<Damage> damages,
      Optional<String> note) {
    public CheckedFile {
      damages = List.copyOf(damages);
    }
  }

  /**
   * Numbers of keys.
   *
   * @param lost gone, as far as can be known
   * @param older those that have the value before, as far as can be known
   * @param returned removed ones that are there again, as far as can be known
   * @param possible others that may have the value before; nothing says so
   * @param unnamedAtMost records whose keys cannot be known, beyond these; some may have been
   *     written over
   */
  public record Keys(long lost, long older, long returned, long possible, long unnamedAtMost) {
    /** None. */
    public static final Keys NONE = new Keys(0, 0, 0, 0, 0);
  }

  /** Whether the store can be opened without losing anything that was acknowledged. */
  public boolean isWhole() {
    return files.stream().allMatch(file -> file.damages().isEmpty());
  }
}
