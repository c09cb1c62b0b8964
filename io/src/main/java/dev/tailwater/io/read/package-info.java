/**
 * Bytes out of files, by the way that suits where they are: in the page cache, on a disk, or at a
 * server.
 *
 * <p>In come descriptors and ranges, out come bytes. {@link dev.tailwater.io.read.TailReader} is
 * the agent's.
 */
@NullMarked
package dev.tailwater.io.read;

import org.jspecify.annotations.NullMarked;
