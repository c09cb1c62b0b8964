package dev.tailwater.posix;

import java.util.OptionalLong;

/**
 * What statx(2) says of a file.
 *
 * @param device device number as {@code major << 32 | minor}
 * @param birthTimeNanos nanoseconds since the epoch; empty where the file system keeps none
 * @param modificationTimeNanos nanoseconds since the epoch
 * @param permissions the low 12 bits of the mode
 */
public record FileStatus(
    long device,
    long inode,
    EntryType type,
    int permissions,
    int links,
    long sizeBytes,
    long allocatedBytes,
    long blockSizeBytes,
    long modificationTimeNanos,
    long changeTimeNanos,
    OptionalLong birthTimeNanos,
    long mountId) {}
