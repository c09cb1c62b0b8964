/** The header that makes a segment describe itself. */
@NullMarked
package dev.tailwater.archive.header;

import org.jspecify.annotations.NullMarked;
