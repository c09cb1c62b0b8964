package dev.tailwater.store.datafile.file;

import java.io.IOException;

/** Thrown when the store may not have another data file. */
public final class TooManyFilesException extends IOException {
  private static final long serialVersionUID = 1L;

  public TooManyFilesException(int files) {
    super(
        "it has "
            + files
            + " data files, no more may be open, and the newest one is full; raise the limit of"
            + " open files (ulimit -n, LimitNOFILE) or remove entries and vacuum");
  }
}
