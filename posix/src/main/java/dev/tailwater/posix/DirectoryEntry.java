package dev.tailwater.posix;

import dev.tailwater.posix.value.EntryType;

/**
 * One name in a directory, as getdents64(2) gives it.
 *
 * @param name one component, without a slash
 * @param inode of what has that name; for a mount point, of the directory under the mount
 * @param type {@link EntryType#UNKNOWN} where the file system does not say
 */
public record DirectoryEntry(PosixPath name, long inode, EntryType type) {}
