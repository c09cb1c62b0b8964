/**
 * Tests of the experiments with files: real ones with tiny plans, conclusions from made-up tables.
 */
@NullMarked
package dev.tailwater.lab.write;

import org.jspecify.annotations.NullMarked;
