/**
 * Destinations in front of destinations: opened late, or limited in bandwidth.
 *
 * <p>Each wraps a destination, or the means to open one, behind the same interface. The agent puts
 * the pacing in front of its destinations; the command line opens destinations late.
 */
@NullMarked
package dev.tailwater.delivery.route;

import org.jspecify.annotations.NullMarked;
