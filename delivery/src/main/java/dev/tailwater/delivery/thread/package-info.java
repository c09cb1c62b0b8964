/**
 * Platform threads, including those that the agent can do without.
 *
 * <p>Whoever wants more threads to be faster asks here; when the machine has none to give, that is
 * reported, and the threads that there are do the work. A thread that works until it is told to end
 * goes on after a failure.
 */
@NullMarked
package dev.tailwater.delivery.thread;

import org.jspecify.annotations.NullMarked;
