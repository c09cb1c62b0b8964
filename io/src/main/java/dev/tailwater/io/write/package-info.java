/**
 * Bytes into files, in the sizes and at the offsets that the file system likes, with an answer at
 * any time to how far they are durable.
 *
 * <p>In come application writes of any size; out go kernel writes of whole blocks. {@link
 * dev.tailwater.io.write.BlockWriter} is called by whoever writes files: the destination directory,
 * the restorer, and programs that use this library alone.
 */
@NullMarked
package dev.tailwater.io.write;

import org.jspecify.annotations.NullMarked;
