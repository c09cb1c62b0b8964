/** Calls that are made again: how long to wait before, and what an earlier one may have left. */
@NullMarked
package dev.tailwater.destination.retry;

import org.jspecify.annotations.NullMarked;
