/** Manifests: objects that repeat the fronts of many packs, so that readers need fewer requests. */
@NullMarked
package dev.tailwater.archive.manifest;

import org.jspecify.annotations.NullMarked;
