package dev.tailwater.posix.value;

/**
 * What statfs(2) says of a file system.
 *
 * @param type the magic number, such as 0xEF53 for ext4
 * @param id f_fsid as one number; 0 where the file system has none
 * @param blockSizeBytes the fragment size in which space is counted
 * @param totalBytes of the whole file system
 * @param availableBytes to a process without privileges
 * @param freeInodes how many files can still be made; 0 where there is no such limit
 * @param maxNameBytes of one component
 */
public record FileSystemStatus(
    long type,
    long id,
    long blockSizeBytes,
    long totalBytes,
    long availableBytes,
    long freeInodes,
    int maxNameBytes) {}
