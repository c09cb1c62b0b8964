package dev.tailwater.restore.verify;

import dev.tailwater.posix.PosixPath;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Where files are looked for that an archive does not have.
 *
 * @param archive the directory of the archive, if it is one on this machine: nothing in it counts
 * @param excluded accepts the absolute paths of files and directories that do not count
 */
public record UnarchivedScope(Optional<PosixPath> archive, Predicate<PosixPath> excluded) {}
