/**
 * The experiment with copies of memory, and what they cost others.
 *
 * <p>It takes a {@linkplain dev.tailwater.lab.measure.Laboratory place to measure} and returns
 * {@link dev.tailwater.lab.experiment.Findings}. The lab runs it; JMH runs the benchmarks, in JVMs
 * of their own, for the experiment and for {@code bench jmh}.
 */
@NullMarked
package dev.tailwater.lab.memory;

import org.jspecify.annotations.NullMarked;
