/**
 * The commands about what is shipped: {@code ship}, {@code check} and {@code rehearse}. They share
 * sources, destinations and the options made from {@link dev.tailwater.cli.config.ShipKey}.
 */
@NullMarked
package dev.tailwater.cli.command.ship;

import org.jspecify.annotations.NullMarked;
