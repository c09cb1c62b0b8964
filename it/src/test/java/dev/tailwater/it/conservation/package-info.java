/**
 * The law of conservation, checked by random actions: every byte ever written and not covered by a
 * recorded gap is in the archive exactly once, and restore gives it back.
 */
@NullMarked
package dev.tailwater.it.conservation;

import org.jspecify.annotations.NullMarked;
