/**
 * Experiments with files: how they are to be written to a synchronous mount and to a disk, how they
 * are read, and what it costs to know which file one has.
 *
 * <p>In comes a {@linkplain dev.tailwater.lab.measure.Laboratory laboratory}; out go {@linkplain
 * dev.tailwater.lab.experiment.Findings findings}. The lab runs them; the benchmarks use the ways
 * of writing and reading that they compare.
 */
@NullMarked
package dev.tailwater.lab.file;

import org.jspecify.annotations.NullMarked;
