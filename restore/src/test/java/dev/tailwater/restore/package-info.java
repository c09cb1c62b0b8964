/** Restores, verifies and compares archives that the real sealer wrote, onto real file systems. */
@NullMarked
package dev.tailwater.restore;

import org.jspecify.annotations.NullMarked;
