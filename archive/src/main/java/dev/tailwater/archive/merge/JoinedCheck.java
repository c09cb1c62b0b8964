package dev.tailwater.archive.merge;

import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.archive.pack.PackedRange;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Finds out whether a pack was made of packs of earlier groups that were not removed. For one
 * thread.
 */
public final class JoinedCheck {
  private final RangeIndex ranges;
  private final PartSums sums;

  private JoinedCheck(PackInput joined) {
    this.ranges = new RangeIndex(joined.pack().directory());
    this.sums = new PartSums(joined);
  }

  /**
   * Returns whether the last pack says all that those before it say, and has the same bytes.
   *
   * @param inputs packs of earlier groups, all of each, and last the pack
   * @throws IOException a pack does not hold what its directory says
   */
  public static boolean holds(List<PackInput> inputs) throws IOException {
    List<PackDirectory> directories =
        inputs.stream().map(input -> input.pack().directory()).toList();
    if (!PackFold.addNothing(directories)) {
      return false;
    }
    Optional<List<PackDirectory>> united = GroupNumbers.unite(directories);
    if (united.isEmpty()) {
      return false;
    }
    JoinedCheck check = new JoinedCheck(inputs.getLast());
    for (PackDirectory earlier : united.get().subList(0, inputs.size() - 1)) {
      for (PackedRange range : earlier.ranges()) {
        if (!check.hasBytes(range)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean hasBytes(PackedRange wanted) throws IOException {
    OptionalInt index = ranges.containing(wanted);
    return index.isPresent() && sums.crc32c(index.getAsInt(), wanted.range()) == wanted.rawCrc32c();
  }
}
