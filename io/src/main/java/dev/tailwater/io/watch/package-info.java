/**
 * Watching: which files change below some directories.
 *
 * <p>A {@link dev.tailwater.io.watch.DirectoryWatch} takes roots and {@linkplain
 * dev.tailwater.io.watch.WatchOptions options} and returns {@linkplain
 * dev.tailwater.io.watch.WatchChange changes}. The agent calls it.
 *
 * <p>It asks {@code LookSchedule} when to look and {@code KernelReports} where. A {@code Pass}
 * looks there and hands what it finds to {@link dev.tailwater.io.watch.result}, which decides what
 * of it was renamed, is gone, or is new. {@code Roots} knows where the roots are.
 */
@NullMarked
package dev.tailwater.io.watch;

import org.jspecify.annotations.NullMarked;
