/**
 * Tails: files that are kept open, and how far each is read.
 *
 * <p>From the paths that the watch has found come {@linkplain dev.tailwater.delivery.tail.Tail
 * tails}, with an open descriptor, an identity, a position and a marker. A path decides only what
 * to open. The watch and the sealing workers use them.
 */
@NullMarked
package dev.tailwater.delivery.tail;

import org.jspecify.annotations.NullMarked;
