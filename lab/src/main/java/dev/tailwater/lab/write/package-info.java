/**
 * The experiments with writes: the best size of writes to a synchronous mount, and whether writes
 * to a disk should be multiples of the block size. Benchmarks use the ways of writing too.
 */
@NullMarked
package dev.tailwater.lab.write;

import org.jspecify.annotations.NullMarked;
