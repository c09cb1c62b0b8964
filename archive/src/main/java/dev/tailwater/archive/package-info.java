/**
 * The archive format: pure functions on bytes and ranges, independent of destinations.
 *
 * <p>Delivery seals raw bytes into segments ({@link dev.tailwater.archive.seal}); restore opens
 * them ({@link dev.tailwater.archive.open}) and gets verified bytes, or an {@link
 * dev.tailwater.archive.ArchiveException} that names the object and the offset. {@link
 * dev.tailwater.archive.name} defines the names of objects, and {@link
 * dev.tailwater.archive.record} the content of the small objects beside the segments. This package
 * contains what all of them use: ranges, codecs and exceptions. {@code docs/format.md} specifies
 * the format.
 */
@NullMarked
package dev.tailwater.archive;

import org.jspecify.annotations.NullMarked;
