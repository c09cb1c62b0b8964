/** Opening: reading a segment from a destination into verified raw bytes. */
@NullMarked
package dev.tailwater.archive.open;

import org.jspecify.annotations.NullMarked;
