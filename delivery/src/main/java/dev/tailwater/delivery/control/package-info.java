/**
 * Talking to a running agent.
 *
 * <p>In come one-line requests over a Unix domain socket in the state directory (mode 0600); out go
 * JSON answers. The command line is the only caller; nothing listens on a network.
 */
@NullMarked
package dev.tailwater.delivery.control;

import org.jspecify.annotations.NullMarked;
