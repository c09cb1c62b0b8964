package dev.tailwater.posix;

/** One name in a directory, as getdents64(2) gives it. */
public record DirectoryEntry(PosixPath name, long inode, EntryType type) {}
