/**
 * Files held open, and how far each is read.
 *
 * <p>In come paths that the watch found; out come {@linkplain dev.tailwater.delivery.tail.Tail
 * tails}: an open descriptor, an identity, a position and a marker. A path decides nothing but what
 * to open. The watch and the sealing workers use it.
 */
@NullMarked
package dev.tailwater.delivery.tail;

import org.jspecify.annotations.NullMarked;
