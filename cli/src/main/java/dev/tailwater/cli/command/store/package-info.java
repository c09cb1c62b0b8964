/**
 * The commands below {@code tailwater store}: look into a key-value store, check, repair, copy and
 * measure it. {@code dev.tailwater.cli.store} has what they print and read.
 */
@NullMarked
package dev.tailwater.cli.command.store;

import org.jspecify.annotations.NullMarked;
