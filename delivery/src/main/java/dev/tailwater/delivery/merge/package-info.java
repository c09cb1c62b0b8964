/**
 * Merging of short segments into longer ones, so that a bound of a second on the age of bytes at
 * risk does not lead to a million small objects.
 *
 * <p>Each destination has a {@link dev.tailwater.delivery.merge.Merger}. It is told of segments
 * that have become durable, each with its checksum and perhaps with its frames still in memory,
 * writes longer segments to the same destination, and removes the short ones that they supersede.
 * It works only while deliveries are idle, and pauses during a drain.
 */
@NullMarked
package dev.tailwater.delivery.merge;

import org.jspecify.annotations.NullMarked;
