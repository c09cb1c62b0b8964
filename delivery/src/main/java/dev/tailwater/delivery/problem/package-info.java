/**
 * What goes wrong while the agent goes on.
 *
 * <p>In come failures from any stage, each with a subject (a path, a key, the state directory); out
 * go a first report, a count of repetitions, and word when it is over. Every stage reports here;
 * the command line listens, and {@code status} lists what is open.
 */
@NullMarked
package dev.tailwater.delivery.problem;

import org.jspecify.annotations.NullMarked;
