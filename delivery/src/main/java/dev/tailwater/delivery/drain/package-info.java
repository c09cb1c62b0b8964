/**
 * Bringing the bytes at risk to zero before a deadline.
 *
 * <p>In comes a deadline; out goes a report of what was delivered and what is left. Drain only
 * gives orders (look at everything, hurry, stop reading); the stages do the work they always do.
 * The agent calls it when it is told to stop, and for {@code --once}.
 */
@NullMarked
package dev.tailwater.delivery.drain;

import org.jspecify.annotations.NullMarked;
