/**
 * The experiment with the key-value store: gets with the page cache full, empty and full again, and
 * the number of requests that the disk then has in progress.
 *
 * <p>The experiment takes a {@linkplain dev.tailwater.lab.measure.Laboratory place to measure} and
 * returns {@link dev.tailwater.lab.experiment.Findings}. The lab runs the experiment; benchmarks
 * use the records and the process that reads them too.
 */
@NullMarked
package dev.tailwater.lab.store;

import org.jspecify.annotations.NullMarked;
