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
 * @param extendedAttributes whether files and directories get extended attributes and ACLs back;
 *     only together with {@code tree}
 * @param sync whether every file is made durable before it gets its name, and the names before the
 *     run ends
 */
public record RestoreOptions(
    ReadOptions reading,
    boolean overwrite,
    OwnerChoice owners,
    boolean tree,
    boolean extendedAttributes,
    boolean sync) {
  public RestoreOptions {
    if (extendedAttributes && !tree) {
      throw new IllegalArgumentException("extended attributes are restored with directories only");
    }
  }

  /** Replaces nothing, leaves owners, makes everything durable. */
  public static RestoreOptions of(ReadOptions reading) {
    return new RestoreOptions(reading, false, OwnerChoice.NONE, true, false, true);
  }

  public RestoreOptions withOverwrite(boolean newOverwrite) {
    return new RestoreOptions(reading, newOverwrite, owners, tree, extendedAttributes, sync);
  }

  public RestoreOptions withOwners(OwnerChoice newOwners) {
    return new RestoreOptions(reading, overwrite, newOwners, tree, extendedAttributes, sync);
  }

  public RestoreOptions withTree(boolean newTree) {
    return new RestoreOptions(reading, overwrite, owners, newTree, extendedAttributes, sync);
  }

  public RestoreOptions withExtendedAttributes(boolean give) {
    return new RestoreOptions(reading, overwrite, owners, tree, give, sync);
  }

  public RestoreOptions withSync(boolean newSync) {
    return new RestoreOptions(reading, overwrite, owners, tree, extendedAttributes, newSync);
  }
}
