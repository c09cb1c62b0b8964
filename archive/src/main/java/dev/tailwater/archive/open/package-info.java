/** Opening: a segment read from a destination becomes verified raw bytes. */
@NullMarked
package dev.tailwater.archive.open;

import org.jspecify.annotations.NullMarked;
