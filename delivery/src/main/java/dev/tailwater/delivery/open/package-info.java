/**
 * Opening: a path becomes an open file, waits until it can be one, or is passed over.
 *
 * <p>The watch decides which paths there are, and takes in what is opened at them; a thread of its
 * own opens new names before the watch has looked, and the watch adopts those files later.
 */
@NullMarked
package dev.tailwater.delivery.open;

import org.jspecify.annotations.NullMarked;
