/**
 * The experiment with sealing: compressing and encrypting by codec and level, and which of them an
 * uplink wants.
 *
 * <p>In comes a {@linkplain dev.tailwater.lab.measure.Laboratory place to measure}; out go {@link
 * dev.tailwater.lab.experiment.Findings}. The lab runs the experiment; benchmarks use the lines of
 * the access log too.
 */
@NullMarked
package dev.tailwater.lab.seal;

import org.jspecify.annotations.NullMarked;
