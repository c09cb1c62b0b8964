package dev.tailwater.store;

import dev.tailwater.posix.PosixPath;

/** The file is whole, but of a format version or mode that this program does not know. */
public final class UnsupportedStoreFormatException extends StoreException {
  private static final long serialVersionUID = 1L;

  UnsupportedStoreFormatException(PosixPath file, int version, int mode) {
    super(
        file
            + " has format version "
            + version
            + ", mode "
            + mode
            + "; known are version "
            + FileHeader.VERSION
            + ", mode "
            + FileHeader.MODE_TRANSACTION_LOG,
        "Use the newer release of Tailwater that wrote it.",
        null);
  }
}
