package dev.tailwater.delivery.merge;

import dev.tailwater.archive.manifest.PackFront;
import dev.tailwater.archive.merge.RevisionRetention;
import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.delivery.pack.ManifestStore;
import dev.tailwater.delivery.pack.PackInventory;
import dev.tailwater.delivery.pack.PackPut;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What merging packs takes.
 *
 * @param inventory asked what is there when the answer to a put was lost
 * @param manifests where the packs are listed that stay
 * @param isSound whether what a manifest repeats of a pack may be handed on
 * @param sealers supplies a sealer, once there is something to merge
 * @param keepRevisions what merged packs keep of bytes that were replaced
 */
public record PackMerging(
    PackInventory inventory,
    PackPut put,
    ManifestStore manifests,
    Predicate<PackFront> isSound,
    Supplier<PackSealer> sealers,
    RevisionRetention keepRevisions) {}
