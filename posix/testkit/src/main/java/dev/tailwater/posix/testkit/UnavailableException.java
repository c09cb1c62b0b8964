package dev.tailwater.posix.testkit;

import java.io.IOException;

/**
 * Signals that a file system is not available on this machine; the message says what is missing.
 * Nothing was left behind.
 */
public final class UnavailableException extends IOException {
  private static final long serialVersionUID = 1;

  public UnavailableException(String missing) {
    super(missing);
  }
}
