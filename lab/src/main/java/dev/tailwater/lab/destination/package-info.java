/**
 * The experiment with a destination: how long puts take there and how many bytes go through, by
 * size of the segments and by how many are under way.
 *
 * <p>In comes an opened {@link dev.tailwater.destination.Destination} and a {@linkplain
 * dev.tailwater.lab.measure.Laboratory place to measure}; out go {@link
 * dev.tailwater.lab.experiment.Findings}. The lab runs the experiment, which removes what it put.
 */
@NullMarked
package dev.tailwater.lab.destination;

import org.jspecify.annotations.NullMarked;
