/**
 * The settings of {@code ship}: one table of keys ({@link dev.tailwater.cli.config.ShipKey}) from
 * which the options, the configuration file and their reference pages come. Text in, {@link
 * dev.tailwater.cli.config.ShipSettings} out, or every problem with its line; called by the
 * commands.
 */
@NullMarked
package dev.tailwater.cli.config;

import org.jspecify.annotations.NullMarked;
