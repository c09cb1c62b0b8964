package dev.tailwater.restore.compact;

import dev.tailwater.restore.Damage;
import java.util.List;

/**
 * What was compacted, or with a dry run would be.
 *
 * @param packs how many packs there were
 * @param youngPacks those of groups that are too young
 * @param withoutRecipient encrypted packs that were left alone, since no recipient was given
 * @param withoutSigner signed packs that were left alone, since the merged one would not be signed
 * @param signedApart signed packs of several groups that stay, since receipts name them
 * @param mergedPacks how many packs became fewer
 * @param mergedInto how many they became
 * @param removedPacks packs that were removed since a merged one covers them
 * @param bytesBefore the lengths of the packs that became fewer
 * @param bytesAfter the lengths of what they became; 0 with a dry run
 * @param manifests how many manifests were written
 * @param removedManifests how many were removed, since others have what they listed
 * @param replacedBytesLeft bytes that were replaced long enough ago, in packs that cannot be
 *     rewritten without others; uncompressed
 * @param coveredBytes bytes that were left out of packs, since segments of their files have them;
 *     uncompressed
 * @param damages packs that cannot be read, or are at odds: they and their neighbours stay
 */
public record CompactReport(
    long packs,
    long youngPacks,
    long withoutRecipient,
    long withoutSigner,
    long signedApart,
    long mergedPacks,
    long mergedInto,
    long removedPacks,
    long bytesBefore,
    long bytesAfter,
    long manifests,
    long removedManifests,
    long replacedBytesLeft,
    long coveredBytes,
    List<Damage> damages) {
  public CompactReport {
    damages = List.copyOf(damages);
  }
}
