package dev.tailwater.store.damage;

import dev.tailwater.posix.PosixPath;

/**
 * A range of a file that is not as it was written.
 *
 * @param offsetBytes where it begins
 * @param lengthBytes how long it is; 0 when something is missing from there on
 * @param recordsAtMost how many records it can have held; 0 when nothing but its format is wrong
 */
public record Damage(
    PosixPath file, long offsetBytes, long lengthBytes, String why, long recordsAtMost) {}
