package dev.tailwater.store.damage;

import dev.tailwater.posix.PosixPath;
import java.util.List;
import java.util.Optional;

/**
 * The result of checking a store.
 *
 * @param files every file of the store, in the order in which they are read at open
 * @param keys how many keys are affected
 */
public record StoreCheck(List<CheckedFile> files, Keys keys) {
  public StoreCheck {
    files = List.copyOf(files);
  }

  /** The role of a file in the store. */
  public enum Role {
    /** A data file. */
    DATA,
    /** A list of what a data file holds; can be rebuilt. */
    HINT,
    /** The saved index of data files; can be rebuilt. */
    INDEX,
    /** What a transaction log held when it was compacted. */
    SNAPSHOT,
    /** A part of a transaction log. */
    LOG,
    /** Replaced by another file and not deleted yet. Not read. */
    OBSOLETE,
    /** Never completed. Not read. */
    UNFINISHED,
    /** Required and not there. */
    MISSING
  }

  /**
   * One file.
   *
   * @param sizeBytes length; 0 when the file is missing
   * @param records whole records or operations in it
   * @param tornBytes length of the torn tail that the next open cuts off
   * @param damages in order
   * @param note what is wrong with a file that can be rebuilt, which is no damage
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
   * Counts of affected keys.
   *
   * @param lost gone, as far as can be known
   * @param older those that have the value before, as far as can be known
   * @param returned removed ones that are there again, as far as can be known
   * @param possible others that may have the value before; nothing says so
   * @param unnamedAtMost most records, beyond these, whose keys are unknown; some may have been
   *     overwritten
   */
  public record Keys(long lost, long older, long returned, long possible, long unnamedAtMost) {
    /** None. */
    public static final Keys NONE = new Keys(0, 0, 0, 0, 0);
  }

  /** Returns whether the store can be opened without losing anything that was acknowledged. */
  public boolean isWhole() {
    return files.stream().allMatch(file -> file.damages().isEmpty());
  }
}
