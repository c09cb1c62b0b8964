/**
 * The way back: list, plan, fetch, open, place, verify.
 *
 * <p>In comes a {@linkplain dev.tailwater.destination.Destination destination} with an archive that
 * is hostile until proven otherwise, and age identities where it is encrypted; out come files in a
 * target directory, bytes on a stream, and reports as records that name every range that is
 * missing. Files are written through {@link dev.tailwater.io.write.BlockWriter}, which leaves
 * blocks of zeros as holes. The command line calls it: {@link dev.tailwater.restore.ArchiveIndex}
 * lists, {@link dev.tailwater.restore.Restorer} gives files back, {@link
 * dev.tailwater.restore.Verifier} and {@link dev.tailwater.restore.DirectoryComparer} check, {@link
 * dev.tailwater.restore.StreamPrinter} prints one stream.
 */
@NullMarked
package dev.tailwater.restore;

import org.jspecify.annotations.NullMarked;
