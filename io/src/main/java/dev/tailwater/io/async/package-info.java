/**
 * Random reads: concurrent positional reads, which use the parallelism of a disk.
 *
 * <p>{@link dev.tailwater.io.async.RandomReads} takes {@linkplain dev.tailwater.io.async.RandomFile
 * files}, offsets and native memory, and returns bytes or an errno for each request. A queue either
 * uses a ring of its own or passes its requests to shared threads; one class decides for both when
 * a request is complete.
 */
@NullMarked
package dev.tailwater.io.async;

import org.jspecify.annotations.NullMarked;
