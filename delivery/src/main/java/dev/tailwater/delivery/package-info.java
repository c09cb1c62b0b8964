/**
 * The agent's engine: makes what programs append to files durable at destinations.
 *
 * <p>An {@link dev.tailwater.delivery.Agent} is started with a configuration and destinations, and
 * assembles the stages of its sub-packages, one {@code Lane} of them for each destination. They
 * follow the path of a byte: {@code watch}, {@code tail}, {@code seal}, {@code deliver}, {@code
 * checkpoint}; {@code drain} makes all of them hurry. The command line starts and stops the agent.
 */
@NullMarked
package dev.tailwater.delivery;

import org.jspecify.annotations.NullMarked;
