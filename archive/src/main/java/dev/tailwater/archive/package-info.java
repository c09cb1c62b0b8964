/**
 * The archive format: pure functions over bytes and ranges, which know no destination.
 *
 * <p>Delivery seals raw bytes into segments ({@link dev.tailwater.archive.seal}); restore opens
 * them ({@link dev.tailwater.archive.open}), and gets verified bytes or an {@link
 * dev.tailwater.archive.ArchiveException} that names object and offset. {@link
 * dev.tailwater.archive.name} says what objects are called, {@link dev.tailwater.archive.record}
 * what the small ones beside the segments hold. This package has what all of them use: ranges,
 * codecs and exceptions. {@code docs/format.md} specifies the format.
 */
@NullMarked
package dev.tailwater.archive;

import org.jspecify.annotations.NullMarked;
