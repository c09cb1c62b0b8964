/**
 * The commands of the program: one class each, with its options and the wiring of the modules that
 * do the work. {@link dev.tailwater.cli.command.CommandTree} has all of them; those that share
 * parts have rooms of their own. A command returns an exit code, and reads from and writes to the
 * {@link dev.tailwater.cli.host.Surroundings} alone.
 */
@NullMarked
package dev.tailwater.cli.command;

import org.jspecify.annotations.NullMarked;
