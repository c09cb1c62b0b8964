package dev.tailwater.archive.manifest;

import dev.tailwater.archive.name.ManifestName;
import dev.tailwater.archive.name.PackName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A manifest as a listing shows it.
 *
 * @param objectBytes the length of its object
 */
public record ListedManifest(ManifestName name, long objectBytes) {
  /** Packs are merged and removed, so part of a manifest may be of no use. */
  private static final int USELESS_SHARE = 4;

  private static final long MIN_BUDGET_BYTES = 1 << 20;

  /** Returns those that no other one supersedes. */
  public static List<ListedManifest> current(Collection<ListedManifest> manifests) {
    Set<ManifestName> superseded =
        ManifestName.superseded(manifests.stream().map(ListedManifest::name).toList());
    return manifests.stream().filter(one -> !superseded.contains(one.name())).toList();
  }

  /**
   * Returns the manifests that are worth reading for somebody who would have to open some packs
   * otherwise: no more than there are packs, and not many more bytes than these have in their
   * fronts. The latest are preferred.
   *
   * @param wanted the packs, with the lengths of their objects
   */
  public static List<ListedManifest> worthReading(
      Collection<ListedManifest> manifests, Map<PackName, Long> wanted) {
    long budgetBytes = MIN_BUDGET_BYTES;
    for (Map.Entry<PackName, Long> pack : wanted.entrySet()) {
      budgetBytes += USELESS_SHARE * (long) PackFront.lengthBytes(pack.getKey(), pack.getValue());
    }
    List<ListedManifest> latestFirst =
        manifests.stream()
            .sorted(Comparator.comparing(ListedManifest::name, Comparator.reverseOrder()))
            .toList();
    List<ListedManifest> affordable = new ArrayList<>();
    for (ListedManifest manifest : latestFirst) {
      if (manifest.objectBytes() <= Math.min(budgetBytes, ManifestFormat.MAX_OBJECT_BYTES)
          && affordable.size() < wanted.size()) {
        affordable.add(manifest);
        budgetBytes -= manifest.objectBytes();
      }
    }
    return affordable;
  }
}
