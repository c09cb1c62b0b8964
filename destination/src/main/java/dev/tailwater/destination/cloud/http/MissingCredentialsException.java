package dev.tailwater.destination.cloud.http;

import java.io.IOException;

/** Signals that nothing in the standard chain of a cloud gives credentials. */
public final class MissingCredentialsException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String hint;

  /**
   * @param message where was looked; never with a part of a secret
   * @param hint what the user can do
   */
  public MissingCredentialsException(String message, String hint) {
    super(message);
    this.hint = hint;
  }

  /** Returns what the user can do. */
  public String hint() {
    return hint;
  }
}
