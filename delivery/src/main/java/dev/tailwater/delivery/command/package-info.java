/**
 * Running commands that the user has configured.
 *
 * <p>A command is run with a time limit, at which it is killed; the caller gets its exit code and
 * the lines that it has written. Hooks, and commands that are sources of notices, are run here.
 */
@NullMarked
package dev.tailwater.delivery.command;

import org.jspecify.annotations.NullMarked;
