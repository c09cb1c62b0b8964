package dev.tailwater.store.damage;

import dev.tailwater.posix.PosixPath;

/**
 * A damaged range of a file.
 *
 * @param offsetBytes where it begins
 * @param lengthBytes how long it is; 0 when something is missing from there on
 * @param recordsAtMost most records that it can have held; 0 when only the format is wrong
 */
public record Damage(
    PosixPath file, long offsetBytes, long lengthBytes, String why, long recordsAtMost) {}
