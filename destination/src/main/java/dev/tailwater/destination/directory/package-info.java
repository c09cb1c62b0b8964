/**
 * Archives in a directory: of a local disk, an NFS mount, or any other file system that Linux
 * mounts.
 *
 * <p>This package takes keys and bytes through {@link dev.tailwater.destination.Destination}. It
 * stores one file for each object, under the root in the directories that the key names. Unfinished
 * files are in {@code .tailwater-tmp} below the root. All file access uses the injected {@link
 * dev.tailwater.posix.FileCalls} with directory descriptors, and follows no symbolic link below the
 * root. {@link dev.tailwater.io.write.BlockWriter} writes the objects in the preferred write size
 * of the mount, through buffers of a {@link dev.tailwater.io.buffer.BufferPool}. {@link
 * dev.tailwater.destination.Destinations} opens it.
 */
@NullMarked
package dev.tailwater.destination.directory;

import org.jspecify.annotations.NullMarked;
