package dev.tailwater.io.write;

/**
 * The result of a {@link FileCopy}.
 *
 * @param bytes the length of the copied range, including holes
 * @param holeBytes of these, the bytes of holes that were kept
 * @param method the method that copied the last bytes
 * @param requests the number of kernel calls that wrote: copy_file_range(2) or pwrite(2)
 */
public record FileCopyResult(long bytes, long holeBytes, CopyMethod method, long requests) {}
