package dev.tailwater.restore.name;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.posix.PosixPath;

/**
 * Two streams claim one place, and the archive does not tell that the file of either has gone from
 * it. At least one of them was born elsewhere: it was renamed over the other and the other's end
 * was never told, or somebody made the claim up.
 *
 * @param path the last known path of the stream that did not get its place
 * @param holder the stream that got the place
 * @param holderPath its last known path; another than {@code path} where one is a directory of the
 *     other
 * @param claimant the stream that did not get it
 * @param claimantBirthPath where that one was first seen
 * @param place where it lies instead, relative to the target directory
 */
public record ContestedPath(
    String agent,
    PosixPath path,
    StreamId holder,
    PosixPath holderPath,
    StreamId claimant,
    PosixPath claimantBirthPath,
    PosixPath place) {}
