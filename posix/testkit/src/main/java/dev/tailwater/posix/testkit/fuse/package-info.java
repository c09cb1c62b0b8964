/**
 * A real FUSE mount for tests and benchmarks, served by a separate process.
 *
 * <p>Its inputs are {@linkplain dev.tailwater.posix.testkit.fuse.FuseOptions options} and commands,
 * such as a delay for each request. It provides a directory, and {@linkplain
 * dev.tailwater.posix.testkit.fuse.FuseCounts counts} of the requests that the kernel made. With
 * direct I/O, the kernel passes on each write(2) at once, as NFS does on a mount with {@code noac}.
 * The tests of all modules and the benchmarks use this package.
 */
@NullMarked
package dev.tailwater.posix.testkit.fuse;

import org.jspecify.annotations.NullMarked;
