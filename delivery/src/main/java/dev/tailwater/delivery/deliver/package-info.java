/**
 * Delivery of sealed segments and stream records to a destination.
 *
 * <p>The sealing workers hand segments to the {@link dev.tailwater.delivery.deliver.Deliverer},
 * which puts them to the destination and then saves checkpoints. Calls are repeated until they
 * succeed; what the destination already holds is never sent again.
 */
@NullMarked
package dev.tailwater.delivery.deliver;

import org.jspecify.annotations.NullMarked;
