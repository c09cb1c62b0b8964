/**
 * Copies that leave the caches to others.
 *
 * <p>In come arrays and {@linkplain java.lang.foreign.MemorySegment segments}; the bytes go to
 * memory past the caches, by non-temporal stores. Called where a block is put aside for later, as
 * into a staging buffer.
 */
@NullMarked
package dev.tailwater.io.copy;

import org.jspecify.annotations.NullMarked;
