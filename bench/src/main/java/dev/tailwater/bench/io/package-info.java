/**
 * JMH benchmarks of {@code dev.tailwater.io}, beside those of the lab: one class for each question,
 * whose Javadoc says what an article reported and by which command to measure it again. In come the
 * classes of {@code io} and a {@linkplain dev.tailwater.lab.measure.WorkDirectory directory to
 * measure on}; out go figures. JMH calls them, started by {@code bench jmh}.
 */
@NullMarked
package dev.tailwater.bench.io;

import org.jspecify.annotations.NullMarked;
