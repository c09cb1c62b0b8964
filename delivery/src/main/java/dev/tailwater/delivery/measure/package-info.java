/**
 * What the stages of one destination have been doing, in numbers.
 *
 * <p>In come begin and end of each piece of work, told by the sealing workers and the deliverer;
 * out go shares of time, speeds and rates. The drain's pilot steers by them, and they tell why a
 * bound on bytes at risk cannot be kept.
 */
@NullMarked
package dev.tailwater.delivery.measure;

import org.jspecify.annotations.NullMarked;
