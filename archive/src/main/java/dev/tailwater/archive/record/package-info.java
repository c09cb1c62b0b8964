/**
 * The small JSON objects beside the segments: what became of a stream, and why a range is missing.
 * Readers take them for hostile input.
 */
@NullMarked
package dev.tailwater.archive.record;

import org.jspecify.annotations.NullMarked;
