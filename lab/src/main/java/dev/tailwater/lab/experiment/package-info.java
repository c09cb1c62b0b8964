/**
 * What an experiment is: a question about this host, and how it is answered by measuring.
 *
 * <p>In comes a {@linkplain dev.tailwater.lab.measure.Laboratory place to measure}; out go {@link
 * dev.tailwater.lab.experiment.Findings}. The rooms with the experiments implement it, and the lab
 * runs them.
 */
@NullMarked
package dev.tailwater.lab.experiment;

import org.jspecify.annotations.NullMarked;
