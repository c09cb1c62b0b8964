/**
 * Watching: which files change below some directories.
 *
 * <p>A {@link dev.tailwater.io.watch.DirectoryWatch} takes roots and {@linkplain
 * dev.tailwater.io.watch.WatchOptions options} and returns {@linkplain
 * dev.tailwater.io.watch.WatchChange changes}. The agent calls it.
 */
@NullMarked
package dev.tailwater.io.watch;

import org.jspecify.annotations.NullMarked;
