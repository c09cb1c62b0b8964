/**
 * Reading: bytes of files by the method that suits where they are, in the page cache, on a disk, or
 * on a server.
 *
 * <p>The classes take descriptors and ranges and return bytes. The agent reads with {@link
 * dev.tailwater.io.read.TailReader}.
 */
@NullMarked
package dev.tailwater.io.read;

import org.jspecify.annotations.NullMarked;
