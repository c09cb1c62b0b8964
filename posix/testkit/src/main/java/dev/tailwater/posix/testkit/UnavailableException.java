package dev.tailwater.posix.testkit;

import java.io.IOException;

/** A file system cannot be had here; the message says what is missing. Nothing was left behind. */
public final class UnavailableException extends IOException {
  private static final long serialVersionUID = 1;

  public UnavailableException(String missing) {
    super(missing);
  }
}
