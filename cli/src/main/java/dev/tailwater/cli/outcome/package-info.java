/**
 * How a run of the program ends: its exit code, and what the user reads when it did not go well.
 * Used by all of {@code dev.tailwater.cli}; uses nothing.
 */
@NullMarked
package dev.tailwater.cli.outcome;

import org.jspecify.annotations.NullMarked;
