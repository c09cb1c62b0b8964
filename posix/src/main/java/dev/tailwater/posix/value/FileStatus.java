package dev.tailwater.posix.value;

import java.util.OptionalLong;

/**
 * The status of a file, as statx(2) returns it. Times are nanoseconds since the epoch. A time that
 * does not fit in a long (before 1677 or after 2262) becomes nearly the least or the greatest value
 * that does.
 *
 * @param device the device number, {@code major << 32 | minor}
 * @param inode the inode number, unique on its device among the files that exist now
 * @param permissions the low 12 bits of the mode
 * @param ownerId the user id of the owner
 * @param groupId the group id
 * @param links the number of names; 0 for an open file that was deleted
 * @param sizeBytes the size of the file
 * @param allocatedBytes the allocated disk space: less than the size for a file with holes
 * @param blockSizeBytes the preferred size for reads and writes
 * @param modificationTimeNanos the last change of the content
 * @param changeTimeNanos the last change of the content or the attributes
 * @param birthTimeNanos the creation time; empty if the file system does not store it
 * @param mountId the mount id as in /proc/self/mountinfo; 0 before Linux 5.8
 */
public record FileStatus(
    long device,
    long inode,
    EntryType type,
    int permissions,
    long ownerId,
    long groupId,
    int links,
    long sizeBytes,
    long allocatedBytes,
    long blockSizeBytes,
    long modificationTimeNanos,
    long changeTimeNanos,
    OptionalLong birthTimeNanos,
    long mountId) {}
