package dev.tailwater.store;

/** Thrown when a value to be incremented is not a number, or becomes too large for one. */
public final class NotANumberException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NotANumberException(String message) {
    super(message);
  }
}
