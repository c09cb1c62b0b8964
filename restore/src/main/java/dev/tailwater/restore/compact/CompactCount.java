package dev.tailwater.restore.compact;

import dev.tailwater.restore.Damage;
import java.util.ArrayList;
import java.util.List;

/** A report in progress. For one thread. */
final class CompactCount {
  long packs;
  long youngPacks;
  long withoutRecipient;
  long withoutSigner;
  long mergedPacks;
  long mergedInto;
  long removedPacks;
  long bytesBefore;
  long bytesAfter;
  long manifests;
  long removedManifests;
  long replacedBytesLeft;
  long coveredBytes;
  final List<Damage> damages = new ArrayList<>();

  CompactReport report() {
    return new CompactReport(
        packs,
        youngPacks,
        withoutRecipient,
        withoutSigner,
        mergedPacks,
        mergedInto,
        removedPacks,
        bytesBefore,
        bytesAfter,
        manifests,
        removedManifests,
        replacedBytesLeft,
        coveredBytes,
        damages);
  }
}
