/** Checksums of the blocks that are delivered, and which of them were replaced since. */
@NullMarked
package dev.tailwater.delivery.sums;

import org.jspecify.annotations.NullMarked;
