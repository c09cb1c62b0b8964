package dev.tailwater.restore.compact;

import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.seal.SealedPack;
import dev.tailwater.restore.Damage;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A report in progress. Whatever a run looks at twice counts once, and packs that it makes and
 * merges again do not count. For one thread.
 */
final class CompactCount {
  long packs;
  long youngPacks;
  long manifests;
  long removedManifests;
  long replacedBytesLeft;
  long coveredBytes;
  long signedApart;
  final Set<PackName> withoutRecipient = new HashSet<>();
  final Set<PackName> withoutSigner = new HashSet<>();
  final Set<Damage> damages = new LinkedHashSet<>();

  /** Which merge the packs were part of last, or came from. */
  private final Map<PackName, Long> merges = new HashMap<>();

  private final Set<PackName> made = new HashSet<>();
  private long lastMerge;
  private long mergedPacks;
  private long mergedInto;
  private long removedPacks;
  private long bytesBefore;
  private long bytesAfter;

  /** Counts packs that become one, which a dry run does not make. */
  void merge(List<StoredPack> packs, Optional<SealedPack> into) {
    lastMerge++;
    Set<Long> earlier = new HashSet<>();
    for (StoredPack pack : packs) {
      Optional<Long> before = Optional.ofNullable(merges.put(pack.name(), lastMerge));
      if (before.isPresent()) {
        earlier.add(before.get());
        bytesAfter -= into.isPresent() ? pack.objectBytes() : 0;
      } else {
        mergedPacks++;
        bytesBefore += pack.objectBytes();
      }
    }
    mergedInto += 1 - earlier.size();
    if (into.isPresent()) {
      merges.put(into.get().name(), lastMerge);
      made.add(into.get().name());
      bytesAfter += into.get().lengthBytes();
    }
  }

  /** Counts a pack that was removed. */
  void remove(PackName name) {
    removedPacks += made.contains(name) ? 0 : 1;
  }

  CompactReport report() {
    return new CompactReport(
        packs,
        youngPacks,
        withoutRecipient.size(),
        withoutSigner.size(),
        signedApart,
        mergedPacks,
        mergedInto,
        removedPacks,
        bytesBefore,
        bytesAfter,
        manifests,
        removedManifests,
        replacedBytesLeft,
        coveredBytes,
        List.copyOf(damages));
  }
}
