/**
 * Measurements of what the stages of one destination do.
 *
 * <p>The sealing workers and the deliverer report the begin and end of each piece of work; from
 * that come shares of time, speeds and rates. A drain's codec selector works with them, and they
 * tell why a bound on bytes at risk is not kept.
 */
@NullMarked
package dev.tailwater.delivery.measure;

import org.jspecify.annotations.NullMarked;
