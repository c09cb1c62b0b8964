/** Compaction: packs of an archive are rewritten into longer ones, by a host that may read them. */
@NullMarked
package dev.tailwater.restore.compact;

import org.jspecify.annotations.NullMarked;
