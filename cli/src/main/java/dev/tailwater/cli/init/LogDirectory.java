package dev.tailwater.cli.init;

import dev.tailwater.posix.PosixPath;

/**
 * A directory with logs that are being written, those in directories below it not counted.
 *
 * @param files how many files in it were written lately
 * @param bytes their sizes together
 * @param unreadable how many of them this process may not read
 */
record LogDirectory(PosixPath path, long files, long bytes, long unreadable) {
  /** Adds up two directories under the path of this one. */
  LogDirectory plus(LogDirectory other) {
    return new LogDirectory(
        path, files + other.files, bytes + other.bytes, unreadable + other.unreadable);
  }
}
