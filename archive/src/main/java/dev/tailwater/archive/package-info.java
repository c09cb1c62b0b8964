/**
 * The archive format: stream ids, object names, sealing bytes into segments and opening them again,
 * the records beside them, and which ranges are there.
 *
 * <p>In come heap arrays of raw bytes with their range, and objects read from a destination, which
 * are taken for hostile; out come staging arrays ready for one PUT, raw bytes that were verified,
 * or an {@link dev.tailwater.archive.ArchiveException} that names object and offset. Pure functions
 * over bytes and ranges: this package knows no destination. Called by delivery (sealing) and
 * restore (opening). The format is written down in {@code docs/format.md}.
 */
@NullMarked
package dev.tailwater.archive;

import org.jspecify.annotations.NullMarked;
