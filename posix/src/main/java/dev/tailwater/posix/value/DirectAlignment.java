package dev.tailwater.posix.value;

/**
 * The alignment that {@link OpenFlag#DIRECT} requires for reads and writes of a file. Both values
 * are 0 if the file does not support direct I/O.
 *
 * @param memoryBytes the memory address must be a multiple of this
 * @param offsetBytes the file offset and the length must be multiples of this
 */
public record DirectAlignment(int memoryBytes, int offsetBytes) {}
