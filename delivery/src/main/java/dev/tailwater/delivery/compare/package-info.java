/**
 * Compares what was read of files with what they hold now, so that bytes which were replaced are
 * found and delivered.
 */
@NullMarked
package dev.tailwater.delivery.compare;

import org.jspecify.annotations.NullMarked;
