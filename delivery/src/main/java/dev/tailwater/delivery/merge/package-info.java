/**
 * Short segments become long ones, so that a bound of a second on the bytes at risk does not end in
 * a million small objects.
 *
 * <p>In comes word of segments that became durable, each with its checksum and perhaps with its
 * frames still in memory; out go longer segments to the same destination, and the removal of the
 * short ones that they supersede. Each destination has a merger of its own. The agent wires it; it
 * asks the stages for nothing but their being idle, and a drain stops it.
 */
@NullMarked
package dev.tailwater.delivery.merge;

import org.jspecify.annotations.NullMarked;
