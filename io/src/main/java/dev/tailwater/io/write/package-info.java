/**
 * Writing: bytes into files in the sizes and at the offsets that the file system prefers, with
 * their durability known at any time.
 *
 * <p>{@link dev.tailwater.io.write.BlockWriter} turns application writes of any size into kernel
 * writes of whole blocks. The directory destination and restore use it, and so can programs that
 * use this library alone.
 */
@NullMarked
package dev.tailwater.io.write;

import org.jspecify.annotations.NullMarked;
