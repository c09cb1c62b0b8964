/**
 * The agent as a process: from settings to a running agent, from signals to a drain, and from
 * reports to an exit code. Called by the {@code ship} command; {@code dev.tailwater.delivery} does
 * the work.
 */
@NullMarked
package dev.tailwater.cli.ship;

import org.jspecify.annotations.NullMarked;
