/**
 * Commands of the user's that are run when the agent changes its pace.
 *
 * <p>In come transitions from whoever drives the agent; commands are run, and what they write and
 * how they fail goes out. Nobody waits for them who does not ask to.
 */
@NullMarked
package dev.tailwater.delivery.hook;

import org.jspecify.annotations.NullMarked;
