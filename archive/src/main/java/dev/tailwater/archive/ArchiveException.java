package dev.tailwater.archive;

import java.io.IOException;

/**
 * Signals that an object of the archive cannot be read. All subclasses stand for permanent errors.
 */
public abstract sealed class ArchiveException extends IOException
    permits DamagedSegmentException,
        DamagedRecordException,
        NoIdentityException,
        NotAuthenticException,
        UnsupportedFormatException {
  private final String key;

  ArchiveException(String key, String message) {
    super(key + ": " + message);
    this.key = key;
  }

  /** Returns the key of the object. */
  public String key() {
    return key;
  }
}
