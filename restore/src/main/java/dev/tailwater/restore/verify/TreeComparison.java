package dev.tailwater.restore.verify;

import dev.tailwater.restore.Damage;
import java.util.List;

/**
 * How the directories, symbolic links and further names of files in an archive compare with a
 * directory.
 *
 * @param same how many are as the archive tells
 * @param differences those that are not
 * @param damages what cannot be read in the archive
 * @param isLocked whether nothing was compared because there is no identity to open it with
 */
public record TreeComparison(
    long same, List<TreeDifference> differences, List<Damage> damages, boolean isLocked) {
  /** Nothing was to be compared. */
  static final TreeComparison NONE = new TreeComparison(0, List.of(), List.of(), false);

  /** It cannot be opened. */
  static final TreeComparison LOCKED = new TreeComparison(0, List.of(), List.of(), true);

  public TreeComparison {
    differences = List.copyOf(differences);
    damages = List.copyOf(damages);
  }

  /** Whether everything is as the archive tells. */
  boolean isSame() {
    return differences.isEmpty() && damages.isEmpty();
  }
}
