/**
 * The experiments with writes: how large writes to a synchronous mount should be, and whether
 * writes to a disk should be multiples of the block size. Benchmarks use the ways of writing too.
 */
@NullMarked
package dev.tailwater.lab.write;

import org.jspecify.annotations.NullMarked;
