/**
 * Tests of the experiment with changes: a real one, small and short; conclusions from made-up
 * tables.
 */
@NullMarked
package dev.tailwater.lab.change;

import org.jspecify.annotations.NullMarked;
