/**
 * A real FUSE mount for tests and benchmarks, served by a process of its own.
 *
 * <p>In come {@linkplain dev.tailwater.posix.testkit.fuse.FuseOptions options} and commands such as
 * a delay for each request; out come a directory and {@linkplain
 * dev.tailwater.posix.testkit.fuse.FuseCounts counts} of the requests that the kernel made. With
 * direct I/O the kernel hands on each write(2) at once, as NFS does on a mount with {@code noac}.
 * Called by the tests of every module and by the benchmarks.
 */
@NullMarked
package dev.tailwater.posix.testkit.fuse;

import org.jspecify.annotations.NullMarked;
