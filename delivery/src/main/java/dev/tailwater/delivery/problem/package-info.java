/**
 * Problems: what goes wrong while the agent goes on.
 *
 * <p>Every stage reports failures here, each with a subject (a path, a key, the state directory).
 * The command line listens: it is told of the first failure and when the problem is over. The
 * status lists the open problems with their repetitions.
 */
@NullMarked
package dev.tailwater.delivery.problem;

import org.jspecify.annotations.NullMarked;
