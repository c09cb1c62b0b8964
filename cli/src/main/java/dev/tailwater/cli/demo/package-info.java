/**
 * {@code tailwater demo}: ships, kills, restarts and restores with real processes in a temporary
 * directory, and prints what happened. Called by the {@code demo} command.
 */
@NullMarked
package dev.tailwater.cli.demo;

import org.jspecify.annotations.NullMarked;
