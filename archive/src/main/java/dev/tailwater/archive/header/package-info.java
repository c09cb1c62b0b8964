/** The header with which a segment describes itself. */
@NullMarked
package dev.tailwater.archive.header;

import org.jspecify.annotations.NullMarked;
