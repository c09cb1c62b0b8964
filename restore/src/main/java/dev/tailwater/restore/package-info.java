/**
 * The way back from an archive to files. This package has what its rooms share: options, progress,
 * retries, and the values that reports are made of.
 *
 * <ol>
 *   <li>{@code list}: what the archive holds ({@link dev.tailwater.restore.list.ArchiveIndex})
 *   <li>{@code read}: the bytes of a stream ({@link dev.tailwater.restore.read.StreamPrinter})
 *   <li>{@code place}: files in a directory ({@link dev.tailwater.restore.place.Restorer})
 *   <li>{@code verify}: checks without writing ({@link dev.tailwater.restore.verify.Verifier},
 *       {@link dev.tailwater.restore.verify.DirectoryComparer})
 * </ol>
 *
 * <p>In comes a {@linkplain dev.tailwater.destination.Destination destination} with an archive that
 * is hostile until proven otherwise, and age identities where it is encrypted; out come files in a
 * target directory, bytes on a stream, and reports as records that name every range that is
 * missing. The command line calls it.
 */
@NullMarked
package dev.tailwater.restore;

import org.jspecify.annotations.NullMarked;
