/**
 * An archive in a directory: of a local disk, an NFS mount, or whatever else Linux mounts.
 *
 * <p>In come keys and bytes through {@link dev.tailwater.destination.Destination}; out come files,
 * one for each object, under the root in the directories that their keys name. Everything that is
 * not finished lies in {@code .tailwater-tmp} below the root. All file access goes through the
 * injected {@link dev.tailwater.posix.FileCalls}, relative to directory descriptors, and follows no
 * symbolic link below the root. Objects are written by {@link dev.tailwater.io.write.BlockWriter}
 * in the sizes that the mount wants, through buffers of a {@link
 * dev.tailwater.io.buffer.BufferPool}. {@link dev.tailwater.destination.Destinations} opens it.
 */
@NullMarked
package dev.tailwater.destination.directory;

import org.jspecify.annotations.NullMarked;
