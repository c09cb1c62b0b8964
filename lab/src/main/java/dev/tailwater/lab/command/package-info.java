/**
 * The command {@code tailwater lab}: chooses experiments, runs them on a mount with a progress bar,
 * and prints and writes their results. The program finds it as a plug-in ({@link
 * dev.tailwater.lab.command.LabPlugin}). It uses classes of the command line and {@link
 * dev.tailwater.lab.Lab}.
 */
@NullMarked
package dev.tailwater.lab.command;

import org.jspecify.annotations.NullMarked;
