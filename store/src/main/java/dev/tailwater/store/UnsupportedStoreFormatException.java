package dev.tailwater.store;

import dev.tailwater.posix.PosixPath;

/** Thrown when a file is of a format version or mode that this program does not know. */
public final class UnsupportedStoreFormatException extends StoreException {
  private static final long serialVersionUID = 1L;

  /**
   * For one file.
   *
   * @param known the versions and modes that the reader knows, for the message
   */
  public UnsupportedStoreFormatException(PosixPath file, int version, int mode, String known) {
    super(
        file + " has format version " + version + ", mode " + mode + "; known here is " + known,
        "Use the newer release of Tailwater that wrote it, or the mode of store that it is of.",
        null);
  }
}
