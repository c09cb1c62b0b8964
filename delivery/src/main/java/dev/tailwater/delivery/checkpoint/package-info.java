/**
 * What is delivered, remembered: the last step of the way of one byte.
 *
 * <p>In come acknowledged ranges, renames and endings; out go checkpoints in the agent's store, and
 * descriptions that the archive lacks. The deliverer calls it; a restart begins here.
 */
@NullMarked
package dev.tailwater.delivery.checkpoint;

import org.jspecify.annotations.NullMarked;
