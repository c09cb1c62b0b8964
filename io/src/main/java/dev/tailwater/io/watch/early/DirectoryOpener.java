package dev.tailwater.io.watch.early;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;

/**
 * Opens directories below a root for reading, without following links that must not be followed.
 */
@FunctionalInterface
public interface DirectoryOpener {
  /** Opens a directory; fails as open(2) says, with {@code ELOOP} for a refused link. */
  Descriptor open(PosixPath root, PosixPath path) throws ErrnoException;
}
