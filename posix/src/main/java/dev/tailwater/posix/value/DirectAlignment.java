package dev.tailwater.posix.value;

/**
 * What {@link OpenFlag#DIRECT} asks of reads and writes of one file. Both are 0 where the file
 * cannot be read and written directly.
 *
 * @param memoryBytes the address of the memory is a multiple of this
 * @param offsetBytes offset and length are multiples of this
 */
public record DirectAlignment(int memoryBytes, int offsetBytes) {}
