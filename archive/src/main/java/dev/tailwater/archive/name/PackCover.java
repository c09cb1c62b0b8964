package dev.tailwater.archive.name;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Which packs of a listing are superseded: their numbers lie within those of a merged pack. */
public final class PackCover {
  private PackCover() {}

  /**
   * Returns the packs that another one of these covers. Of several with the same numbers, the one
   * whose key sorts first is not superseded.
   */
  public static Set<PackName> superseded(Collection<PackName> packs) {
    List<PackName> inOrder = packs.stream().sorted().toList();
    Set<PackName> superseded = new HashSet<>();
    Optional<PackName> widest = Optional.empty();
    for (PackName pack : inOrder) {
      // Whatever comes before begins at the same number or a lower one.
      if (widest.isPresent() && widest.get().id().covers(pack.id())) {
        superseded.add(pack);
      } else {
        widest = Optional.of(pack);
      }
    }
    return superseded;
  }
}
