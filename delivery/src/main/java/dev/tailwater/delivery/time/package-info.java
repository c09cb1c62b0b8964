/**
 * Clocks and deadlines.
 *
 * <p>Every stage measures time with the clocks of the agent's environment, so that a test can move
 * them, and waits with a {@link dev.tailwater.delivery.time.Deadline}.
 */
@NullMarked
package dev.tailwater.delivery.time;

import org.jspecify.annotations.NullMarked;
