/**
 * The user's commands that are run when the agent enters another phase.
 *
 * <p>Whoever drives the agent reports transitions; the commands' output and failures are passed on.
 * Only callers that ask to wait for them do.
 */
@NullMarked
package dev.tailwater.delivery.hook;

import org.jspecify.annotations.NullMarked;
