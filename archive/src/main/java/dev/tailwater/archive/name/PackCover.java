package dev.tailwater.archive.name;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

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
    Set<PackName> superseded = new HashSet<>();
    covered(packs).values().forEach(superseded::addAll);
    return superseded;
  }

  /** Returns the packs that are {@link #superseded}, by the ones that cover them. */
  public static Map<PackName, List<PackName>> covered(Collection<PackName> packs) {
    Map<PackName, List<PackName>> covered = new HashMap<>();
    Optional<PackName> widestEncrypted = Optional.empty();
    Optional<PackName> widestPlain = Optional.empty();
    for (PackName pack : packs.stream().sorted().toList()) {
      // Whatever comes before begins at the same number or a lower one.
      Optional<PackName> wide =
          Stream.of(widestEncrypted, widestPlain)
              .flatMap(Optional::stream)
              .filter(one -> covers(one, pack))
              .findFirst();
      if (wide.isPresent()) {
        covered.computeIfAbsent(wide.get(), _ -> new ArrayList<>()).add(pack);
      } else if (pack.encrypted()) {
        widestEncrypted = Optional.of(pack);
      } else {
        widestPlain = Optional.of(pack);
      }
    }
    return covered;
  }

  /** Returns whether a pack covers another one: anybody can write a plain one. */
  public static boolean covers(PackName wide, PackName pack) {
    return !wide.equals(pack)
        && wide.id().covers(pack.id())
        && (wide.encrypted() || !pack.encrypted());
  }
}
