package dev.tailwater.archive.name;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which packs of a listing are superseded: their numbers lie within those of a merged pack. One
 * that is not encrypted, as anybody can write it, supersedes none that is.
 */
public final class PackCover {
  private PackCover() {}

  /**
   * Returns the packs that another one of these covers. Of several with the same numbers, the one
   * whose key sorts first is not superseded.
   */
  public static Set<PackName> superseded(Collection<PackName> packs) {
    List<PackName> inOrder = packs.stream().sorted().toList();
    Set<PackName> superseded = new HashSet<>();
    Optional<PackName> widestEncrypted = Optional.empty();
    Optional<PackName> widestPlain = Optional.empty();
    for (PackName pack : inOrder) {
      // Whatever comes before begins at the same number or a lower one.
      if (covers(widestEncrypted, pack) || (!pack.encrypted() && covers(widestPlain, pack))) {
        superseded.add(pack);
      } else if (pack.encrypted()) {
        widestEncrypted = Optional.of(pack);
      } else {
        widestPlain = Optional.of(pack);
      }
    }
    return superseded;
  }

  private static boolean covers(Optional<PackName> widest, PackName pack) {
    return widest.isPresent() && widest.get().id().covers(pack.id());
  }
}
