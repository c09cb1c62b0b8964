/**
 * The control socket of a running agent.
 *
 * <p>One-line requests over a Unix domain socket in the state directory (mode 0600) are answered
 * with JSON. The command line is the only client; nothing listens on a network.
 */
@NullMarked
package dev.tailwater.delivery.control;

import org.jspecify.annotations.NullMarked;
