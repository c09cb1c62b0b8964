package dev.tailwater.destination.contract;

/** A destination did something else than its contract says; the message tells what was found. */
public final class BrokenPromiseException extends Exception {
  private static final long serialVersionUID = 1L;

  BrokenPromiseException(String message) {
    super(message);
  }

  BrokenPromiseException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Never null, as for other exceptions it may be. */
  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
