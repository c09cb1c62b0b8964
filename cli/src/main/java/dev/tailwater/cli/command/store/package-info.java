/**
 * The commands below {@code tailwater store}, which inspect, check, repair, copy and measure a
 * key-value store. {@code dev.tailwater.cli.store} has what they print and read.
 */
@NullMarked
package dev.tailwater.cli.command.store;

import org.jspecify.annotations.NullMarked;
