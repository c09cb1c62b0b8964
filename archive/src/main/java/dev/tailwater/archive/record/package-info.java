/**
 * The small JSON objects beside the segments: what happened to a stream, and why a range is
 * missing. Readers treat them as hostile input.
 */
@NullMarked
package dev.tailwater.archive.record;

import org.jspecify.annotations.NullMarked;
