/**
 * Experiments with buffers: reading typed values through them, and allocating them.
 *
 * <p>An experiment takes a {@linkplain dev.tailwater.lab.measure.Laboratory place to measure} and
 * returns {@link dev.tailwater.lab.experiment.Findings}. The lab runs the experiments; JMH runs the
 * benchmarks, in JVMs of their own, for the experiments and for {@code bench jmh}.
 */
@NullMarked
package dev.tailwater.lab.buffer;

import org.jspecify.annotations.NullMarked;
