/**
 * The way to a destination that is not always open or not always as wide as it could be.
 *
 * <p>In comes a destination, or how to open one; out goes the same interface, opened when it can
 * be, and paced by a timetable. The agent puts them before its destinations; the command line makes
 * them.
 */
@NullMarked
package dev.tailwater.delivery.route;

import org.jspecify.annotations.NullMarked;
