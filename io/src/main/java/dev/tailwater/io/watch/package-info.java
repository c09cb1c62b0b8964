/**
 * What changes below some directories.
 *
 * <p>In come roots and {@linkplain dev.tailwater.io.watch.WatchOptions wishes}, out come
 * {@linkplain dev.tailwater.io.watch.WatchChange changes} from one {@link
 * dev.tailwater.io.watch.DirectoryWatch}. The agent calls it.
 */
@NullMarked
package dev.tailwater.io.watch;

import org.jspecify.annotations.NullMarked;
