/** Benchmarks of file I/O. */
@NullMarked
package dev.tailwater.bench.file;

import org.jspecify.annotations.NullMarked;
