/** Names: stream ids, the names of the objects of an archive, and what such a name says. */
@NullMarked
package dev.tailwater.archive.name;

import org.jspecify.annotations.NullMarked;
