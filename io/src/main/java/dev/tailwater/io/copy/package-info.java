/**
 * Copying: copies in memory that bypass the processor's caches.
 *
 * <p>The bytes of arrays and {@linkplain java.lang.foreign.MemorySegment segments} are copied by
 * non-temporal stores. Used for blocks that are read later, such as those in a staging buffer.
 */
@NullMarked
package dev.tailwater.io.copy;

import org.jspecify.annotations.NullMarked;
