/**
 * Resuming: which stream a file is at when it is read, and the position from which it goes on.
 *
 * <p>What the checkpoint says is compared with the file, and with what the destination holds where
 * the checkpoint may be outdated. A file that is not what was delivered begins its next stream.
 */
@NullMarked
package dev.tailwater.delivery.resume;

import org.jspecify.annotations.NullMarked;
