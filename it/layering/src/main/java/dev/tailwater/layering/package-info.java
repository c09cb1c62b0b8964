/** Checks that the packages of a module use each other in one direction only; for tests. */
@NullMarked
package dev.tailwater.layering;

import org.jspecify.annotations.NullMarked;
