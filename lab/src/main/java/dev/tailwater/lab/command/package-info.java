/**
 * The command {@code tailwater lab}: chooses experiments, runs them on a mount with a progress bar,
 * and prints and writes what they found. The program finds it as a plug-in ({@link
 * dev.tailwater.lab.command.LabPlugin}); it uses the command line's parts and {@link
 * dev.tailwater.lab.Lab}.
 */
@NullMarked
package dev.tailwater.lab.command;

import org.jspecify.annotations.NullMarked;
