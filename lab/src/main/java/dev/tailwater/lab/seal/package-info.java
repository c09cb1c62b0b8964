/**
 * The experiment with sealing: the cost of compression and encryption by codec and level, and the
 * best codec for an uplink.
 *
 * <p>The experiment takes a {@linkplain dev.tailwater.lab.measure.Laboratory place to measure} and
 * returns {@link dev.tailwater.lab.experiment.Findings}. The lab runs the experiment; benchmarks
 * use the lines of the access log too.
 */
@NullMarked
package dev.tailwater.lab.seal;

import org.jspecify.annotations.NullMarked;
