/** Lists of objects over many pages, and the check that a server tells each object once. */
@NullMarked
package dev.tailwater.destination.list;

import org.jspecify.annotations.NullMarked;
