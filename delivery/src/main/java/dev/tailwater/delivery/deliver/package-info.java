/**
 * From a sealed segment to a durable one.
 *
 * <p>In come sealed segments and streams with news; out go objects at the destination, then
 * checkpoints. Calls are repeated until they succeed; what the destination already holds is never
 * sent again. The sealing workers call it.
 */
@NullMarked
package dev.tailwater.delivery.deliver;

import org.jspecify.annotations.NullMarked;
