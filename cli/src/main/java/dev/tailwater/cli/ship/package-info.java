/**
 * The agent as a process: from settings to a running agent, from signals to a drain, from reports
 * to an exit code. Called by the {@code ship} command; the work itself is done in {@code
 * dev.tailwater.delivery}.
 */
@NullMarked
package dev.tailwater.cli.ship;

import org.jspecify.annotations.NullMarked;
