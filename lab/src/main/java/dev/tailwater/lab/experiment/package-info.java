/**
 * The interface of an experiment: a question about this host, and its answer by measurements.
 *
 * <p>An experiment takes a {@linkplain dev.tailwater.lab.measure.Laboratory place to measure} and
 * returns {@link dev.tailwater.lab.experiment.Findings}. Other packages implement it, and the lab
 * runs it.
 */
@NullMarked
package dev.tailwater.lab.experiment;

import org.jspecify.annotations.NullMarked;
