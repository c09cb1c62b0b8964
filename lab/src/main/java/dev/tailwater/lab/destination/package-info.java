/**
 * The experiment with a destination: the time and the throughput of puts, by the size of the
 * segments and the number of simultaneous puts.
 *
 * <p>The experiment takes an open {@link dev.tailwater.destination.Destination} and a {@linkplain
 * dev.tailwater.lab.measure.Laboratory place to measure}, and returns {@link
 * dev.tailwater.lab.experiment.Findings}. The lab runs the experiment, which removes what it put.
 */
@NullMarked
package dev.tailwater.lab.destination;

import org.jspecify.annotations.NullMarked;
