/**
 * From unread bytes to sealed segments.
 *
 * <p>In come tails whose oldest unread byte is old enough, or that have a full segment; out go
 * sealed segments in staging buffers. Reading happens only here and only when a segment is due: the
 * source file is the queue, and memory does not grow with the number of files. The watch schedules
 * tails; workers hand segments to the deliverer.
 */
@NullMarked
package dev.tailwater.delivery.seal;

import org.jspecify.annotations.NullMarked;
