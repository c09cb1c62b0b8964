package dev.tailwater.restore.place;

import dev.tailwater.restore.ReadOptions;
import dev.tailwater.restore.attribute.OwnerChoice;

/**
 * How files are restored.
 *
 * @param reading how the archive is read
 * @param overwrite whether files that are there already and have other contents are replaced; a
 *     file that lacks nothing, and one that has nothing but a part of what is restored, is never in
 *     the way
 * @param owners whether files get their owners back; set-user-id, set-group-id and sticky bits come
 *     back with the owner only
 * @param tree whether directories, symbolic links and further names of files are restored too
 * @param sync whether every file is made durable before it gets its name, and the names before the
 *     run ends
 */
public record RestoreOptions(
    ReadOptions reading, boolean overwrite, OwnerChoice owners, boolean tree, boolean sync) {
  /** Replaces nothing, leaves owners, makes everything durable. */
  public static RestoreOptions of(ReadOptions reading) {
    return new RestoreOptions(reading, false, OwnerChoice.NONE, true, true);
  }

  public RestoreOptions withOverwrite(boolean newOverwrite) {
    return new RestoreOptions(reading, newOverwrite, owners, tree, sync);
  }

  public RestoreOptions withOwners(OwnerChoice newOwners) {
    return new RestoreOptions(reading, overwrite, newOwners, tree, sync);
  }

  public RestoreOptions withTree(boolean newTree) {
    return new RestoreOptions(reading, overwrite, owners, newTree, sync);
  }

  public RestoreOptions withSync(boolean newSync) {
    return new RestoreOptions(reading, overwrite, owners, tree, newSync);
  }
}
