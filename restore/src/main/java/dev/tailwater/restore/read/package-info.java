/**
 * The bytes of streams: which segments to fetch for a range, whether segments that overlap agree,
 * and whether the identities fit. {@link dev.tailwater.restore.read.StreamPrinter} prints one
 * stream; {@code place} and {@code verify} use the rest.
 */
@NullMarked
package dev.tailwater.restore.read;

import org.jspecify.annotations.NullMarked;
