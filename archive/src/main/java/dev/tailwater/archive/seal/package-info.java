/** Sealing: turning blocks of raw bytes into a segment in a staging array, ready for one PUT. */
@NullMarked
package dev.tailwater.archive.seal;

import org.jspecify.annotations.NullMarked;
