/**
 * Sealing: from unread bytes to segments in staging buffers.
 *
 * <p>The watch schedules tails; one is due when its oldest unread byte is old enough, or it has a
 * full segment. Workers read, compress and encrypt, and hand segments to the deliverer. Files are
 * read only here, and only when a segment is due: the source file is the queue, and memory does not
 * grow with the number of files.
 */
@NullMarked
package dev.tailwater.delivery.seal;

import org.jspecify.annotations.NullMarked;
