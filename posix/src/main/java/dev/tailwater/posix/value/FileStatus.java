package dev.tailwater.posix.value;

import java.util.OptionalLong;

/**
 * What statx(2) says of a file. Times are nanoseconds since the epoch; one that does not fit in a
 * long (before 1677, after 2262) becomes nearly the least or greatest that does.
 *
 * @param device device number as {@code major << 32 | minor}
 * @param inode inode number, unique on its device among the files that exist now
 * @param permissions the low 12 bits of the mode
 * @param ownerId the user that owns it, as a number
 * @param links number of names; 0 for an open file that was deleted
 * @param sizeBytes where the end is
 * @param allocatedBytes what it takes on the disk: less than the size for a file with holes
 * @param blockSizeBytes the preferred size for reads and writes
 * @param modificationTimeNanos last change of the content
 * @param changeTimeNanos last change of the content or the attributes
 * @param birthTimeNanos empty where the file system keeps none
 * @param mountId as in /proc/self/mountinfo; 0 before Linux 5.8
 */
public record FileStatus(
    long device,
    long inode,
    EntryType type,
    int permissions,
    long ownerId,
    int links,
    long sizeBytes,
    long allocatedBytes,
    long blockSizeBytes,
    long modificationTimeNanos,
    long changeTimeNanos,
    OptionalLong birthTimeNanos,
    long mountId) {}
