package dev.tailwater.restore.verify;

import dev.tailwater.posix.PosixPath;

/**
 * A directory, symbolic link or further name of a file that is not as the archive tells.
 *
 * @param path in the archive
 * @param what what is different
 */
public record TreeDifference(String agent, PosixPath path, String what) {}
