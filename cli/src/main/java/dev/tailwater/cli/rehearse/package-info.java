/**
 * {@code tailwater rehearse}: a termination drill on this host. A configuration goes in; what was
 * lost at each kind of end, and whether the deadlines hold, comes out. Writes below a directory of
 * its own and a folder of its own at each destination, and removes both. Called by the {@code
 * rehearse} command; {@code rehearse-agent} is the agent that it ends.
 */
@NullMarked
package dev.tailwater.cli.rehearse;

import org.jspecify.annotations.NullMarked;
