package dev.tailwater.restore.list;

import dev.tailwater.archive.name.ManifestName;

/**
 * A manifest as the listing shows it.
 *
 * @param objectBytes the length of its object
 */
record ListedManifest(ManifestName name, long objectBytes) {}
