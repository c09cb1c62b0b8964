/**
 * What a file system is and can do.
 *
 * <p>In come descriptors and paths, out come facts. The reading, writing and watching packages call
 * it, and whoever wants to know.
 */
@NullMarked
package dev.tailwater.io.mount;

import org.jspecify.annotations.NullMarked;
