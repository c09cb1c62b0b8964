/**
 * The directory of a pack: which bytes of which streams an object holds, and what there is to say
 * of streams. {@code docs/format.md}, "Packs", specifies it byte by byte.
 */
@NullMarked
package dev.tailwater.archive.pack;

import org.jspecify.annotations.NullMarked;
