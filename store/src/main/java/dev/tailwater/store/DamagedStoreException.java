package dev.tailwater.store;

import dev.tailwater.posix.PosixPath;

/** Thrown when a file of the store is damaged. Nothing was changed. */
public final class DamagedStoreException extends StoreException {
  private static final long serialVersionUID = 1L;

  private static final String HINT =
      "Run `tailwater store verify DIR` for the whole picture. Check the disk, then bring the"
          + " directory back from a copy, or move it away and begin with an empty one.";

  private final transient PosixPath file;
  private final long offsetBytes;
  private final String why;

  /** At this place of this file. */
  public DamagedStoreException(PosixPath file, long offsetBytes, String why) {
    super(file + " is damaged at offset " + offsetBytes + ": " + why, HINT, null);
    this.file = file;
    this.offsetBytes = offsetBytes;
    this.why = why;
  }

  /** Returns the damaged file; with offset 0, it may be one that is missing. */
  public PosixPath file() {
    return file;
  }

  /** Returns where the first frame or header begins that cannot be trusted. */
  public long offsetBytes() {
    return offsetBytes;
  }

  /** Returns what is wrong there, in words. */
  public String why() {
    return why;
  }
}
