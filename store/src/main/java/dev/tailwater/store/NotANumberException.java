package dev.tailwater.store;

/** A value that is to be incremented is no number, or becomes one that is too large. */
public final class NotANumberException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NotANumberException(String message) {
    super(message);
  }
}
