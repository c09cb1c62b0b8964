/** Names: stream ids, the names of the objects of an archive, and the parsing of these names. */
@NullMarked
package dev.tailwater.archive.name;

import org.jspecify.annotations.NullMarked;
