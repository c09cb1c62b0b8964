/**
 * Threads that the agent can do without.
 *
 * <p>In come names and work; out go platform threads, or a report that the machine has none to
 * give. Whoever wants more threads to be faster asks here, and goes on with those that there are.
 */
@NullMarked
package dev.tailwater.delivery.thread;

import org.jspecify.annotations.NullMarked;
