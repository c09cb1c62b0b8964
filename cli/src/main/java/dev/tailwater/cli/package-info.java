/**
 * The {@code tailwater} command: from arguments to an exit code. Arguments in; data on stdout,
 * messages on stderr and an {@link dev.tailwater.cli.outcome.ExitCode} out. Nothing uses it.
 */
@NullMarked
package dev.tailwater.cli;

import org.jspecify.annotations.NullMarked;
