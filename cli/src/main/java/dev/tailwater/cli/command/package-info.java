/**
 * One class for each command: its options, and the wiring of the modules that do the work. Called
 * by {@code Program} with parsed arguments; each returns an exit code and writes to the {@link
 * dev.tailwater.cli.host.Surroundings}.
 */
@NullMarked
package dev.tailwater.cli.command;

import org.jspecify.annotations.NullMarked;
