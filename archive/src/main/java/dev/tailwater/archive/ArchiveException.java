package dev.tailwater.archive;

import java.io.IOException;

/** Signals that an object of the archive cannot be read. All kinds are permanent. */
public abstract sealed class ArchiveException extends IOException
    permits DamagedSegmentException,
        DamagedRecordException,
        NoIdentityException,
        UnsupportedFormatException {
  private final String key;

  ArchiveException(String key, String message) {
    super(key + ": " + message);
    this.key = key;
  }

  /** Returns the object's key. */
  public String key() {
    return key;
  }
}
