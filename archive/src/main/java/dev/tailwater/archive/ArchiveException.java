package dev.tailwater.archive;

import java.io.IOException;

/** An object of the archive cannot be read; names the object. All kinds are permanent. */
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

  /** The object's key. */
  public String key() {
    return key;
  }
}
