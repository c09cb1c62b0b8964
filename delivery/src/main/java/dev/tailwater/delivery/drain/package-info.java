/**
 * Draining: bringing the bytes at risk to zero before a deadline.
 *
 * <p>A {@link dev.tailwater.delivery.drain.Drain} takes a deadline and returns a report of what was
 * delivered and what is left. It only gives orders (look at everything, hurry, stop reading); the
 * stages do the work they always do. The agent drains when it is told to stop, and for {@code
 * --once}.
 */
@NullMarked
package dev.tailwater.delivery.drain;

import org.jspecify.annotations.NullMarked;
