/** Blocks of one segment that several workers compress at the same time. */
@NullMarked
package dev.tailwater.delivery.blocks;

import org.jspecify.annotations.NullMarked;
