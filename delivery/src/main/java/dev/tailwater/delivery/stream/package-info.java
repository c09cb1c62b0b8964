/**
 * What an agent knows of one stream: which of its bytes are durable, what was seen of its file, how
 * it ended, what was replaced, and what the archive must still be told.
 *
 * <p>The stages tell a {@link dev.tailwater.delivery.stream.StreamProgress} of these; it makes the
 * {@link dev.tailwater.delivery.stream.Checkpoint}s that a restart begins with.
 */
@NullMarked
package dev.tailwater.delivery.stream;

import org.jspecify.annotations.NullMarked;
