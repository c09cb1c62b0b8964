package dev.tailwater.posix;

import dev.tailwater.posix.value.EntryType;

/**
 * One directory entry, as getdents64(2) returns it.
 *
 * @param name one component, without a slash
 * @param inode the inode number; for a mount point, that of the directory below the mount
 * @param type {@link EntryType#UNKNOWN} if the file system does not report types
 */
public record DirectoryEntry(PosixPath name, long inode, EntryType type) {}
