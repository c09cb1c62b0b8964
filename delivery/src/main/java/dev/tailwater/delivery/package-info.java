/**
 * The agent's engine: takes what programs append to files and makes it durable at a destination.
 *
 * <p>In come a configuration and a destination; out go segments there, checkpoints here, and a
 * status. The sub-packages follow the way of one byte: {@code watch}, {@code tail}, {@code seal},
 * {@code deliver}, {@code checkpoint}; {@code drain} hurries all of them. The command line starts
 * an {@link dev.tailwater.delivery.Agent} and stops it.
 */
@NullMarked
package dev.tailwater.delivery;

import org.jspecify.annotations.NullMarked;
