/**
 * How fast an agent works.
 *
 * <p>Drains, and workers that starve, take leases on a {@link dev.tailwater.delivery.tempo.Tempo};
 * the stages ask it what holds now and hear when that changes. An agent has one.
 */
@NullMarked
package dev.tailwater.delivery.tempo;

import org.jspecify.annotations.NullMarked;
