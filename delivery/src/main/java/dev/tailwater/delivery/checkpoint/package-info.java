/**
 * Checkpoints: what is delivered, as a restart must know it.
 *
 * <p>The stages tell a stream's {@link dev.tailwater.delivery.checkpoint.StreamProgress} of ranges
 * that are durable, renames and endings. From that come checkpoints in the agent's store, and
 * descriptions that the archive lacks. A restart begins here.
 */
@NullMarked
package dev.tailwater.delivery.checkpoint;

import org.jspecify.annotations.NullMarked;
