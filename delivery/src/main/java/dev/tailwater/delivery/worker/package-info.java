/**
 * The threads that seal: how many there are, what each has claimed, and when it rests for other
 * programs.
 *
 * <p>What a worker does with a claim is its {@link dev.tailwater.delivery.worker.Cutter}'s.
 */
@NullMarked
package dev.tailwater.delivery.worker;

import org.jspecify.annotations.NullMarked;
