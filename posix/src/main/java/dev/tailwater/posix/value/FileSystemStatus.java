package dev.tailwater.posix.value;

/**
 * The status of a file system, as statfs(2) returns it.
 *
 * @param type the magic number, such as 0xEF53 for ext4
 * @param id f_fsid as one number; 0 if the file system has none
 * @param blockSizeBytes the fragment size, the unit in which space is counted
 * @param totalBytes the size of the whole file system
 * @param availableBytes the free space for a process without privileges
 * @param freeInodes how many more files can be created; 0 if there is no such limit
 * @param maxNameBytes the maximum length of one path component
 */
public record FileSystemStatus(
    long type,
    long id,
    long blockSizeBytes,
    long totalBytes,
    long availableBytes,
    long freeInodes,
    int maxNameBytes) {}
