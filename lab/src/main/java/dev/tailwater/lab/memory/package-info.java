/**
 * Experiments with memory: reading typed values through buffers, allocating buffers, copying.
 *
 * <p>An experiment takes a {@linkplain dev.tailwater.lab.measure.Laboratory place to measure} and
 * returns {@link dev.tailwater.lab.experiment.Findings}. The lab runs the experiments; JMH runs the
 * benchmarks, in JVMs of their own, for the experiments and for {@code bench jmh}.
 */
@NullMarked
package dev.tailwater.lab.memory;

import org.jspecify.annotations.NullMarked;
