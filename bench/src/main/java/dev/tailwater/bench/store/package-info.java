/** Benchmarks of the key-value store. */
@NullMarked
package dev.tailwater.bench.store;

import org.jspecify.annotations.NullMarked;
