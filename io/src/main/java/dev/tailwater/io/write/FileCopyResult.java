package dev.tailwater.io.write;

/**
 * What a {@link FileCopy} did.
 *
 * @param bytes how far the copied range of the source goes, holes included
 * @param holeBytes of these, how many were a hole that was kept
 * @param way what the last bytes went by
 * @param requests how many calls to the kernel wrote: copy_file_range(2) or pwrite(2)
 */
public record FileCopyResult(long bytes, long holeBytes, CopyWay way, long requests) {}
