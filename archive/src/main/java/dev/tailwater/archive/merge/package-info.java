/** Merging of packs: several neighbouring ones of a group become one, sorted by stream. */
@NullMarked
package dev.tailwater.archive.merge;

import org.jspecify.annotations.NullMarked;
