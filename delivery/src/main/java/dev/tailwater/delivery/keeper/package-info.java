/**
 * The tails of one destination: which stream each file is at, and when its tail begins, leaves
 * memory, comes back and ends.
 */
@NullMarked
package dev.tailwater.delivery.keeper;

import org.jspecify.annotations.NullMarked;
